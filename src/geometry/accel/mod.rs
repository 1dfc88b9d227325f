//! Ray acceleration: three backends that answer the same questions.
