//! Families of the second engine (documentation 004), one a file.
