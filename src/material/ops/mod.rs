//! Formulas that two families or more share, named as the documentation names them.
