//! Families of the first engine (documentation 000 and 001), one a file.
