//! Primitive modes → triangle lists (glTF 2.0, section 3.7.2.1).

use super::error::{Checked, Fault};

/// How vertices form triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Triangles,
    Strip,
    Fan,
    /// Points and lines: nothing to trace.
    Skipped(&'static str),
}

impl Mode {
    pub fn from_code(code: u32, pointer: &str) -> Checked<Self> {
        Ok(match code {
            0 => Self::Skipped("points"),
            1 => Self::Skipped("lines"),
            2 => Self::Skipped("a line loop"),
            3 => Self::Skipped("a line strip"),
            4 => Self::Triangles,
            5 => Self::Strip,
            6 => Self::Fan,
            _ => {
                let message = format!("mode {code} is unknown; allowed: 0 to 6");
                return Err(Fault::new(format!("{pointer}/mode"), message));
            }
        })
    }

    /// The triangles of the corner sequence `corners`, counter-clockwise, and how many corners at the end are left over.
    pub fn triangles(self, corners: &[u32]) -> (Vec<[u32; 3]>, usize) {
        let fits = corners.len() >= 3;
        match self {
            Self::Triangles => {
                let (whole, rest) = corners.as_chunks::<3>();
                (whole.to_vec(), rest.len())
            }
            Self::Strip if fits => (corners.windows(3).enumerate().map(strip_triangle).collect(), 0),
            Self::Fan if fits => (corners[1..].windows(2).map(|edge| [edge[0], edge[1], corners[0]]).collect(), 0),
            Self::Strip | Self::Fan => (vec![], corners.len()),
            Self::Skipped(_) => (vec![], 0),
        }
    }
}

/// Every other triangle of a strip is turned over so that all face alike.
fn strip_triangle((index, corners): (usize, &[u32])) -> [u32; 3] {
    match index % 2 {
        0 => [corners[0], corners[1], corners[2]],
        _ => [corners[0], corners[2], corners[1]],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_alternate_and_fans_turn_about_the_first_vertex() {
        assert_eq!(Mode::Strip.triangles(&[5, 6, 7, 8, 9]).0, [[5, 6, 7], [6, 8, 7], [7, 8, 9]]);
        assert_eq!(Mode::Fan.triangles(&[5, 6, 7, 8]).0, [[6, 7, 5], [7, 8, 5]]);
        assert_eq!(Mode::Triangles.triangles(&[0, 1, 2, 3, 4]), (vec![[0, 1, 2]], 2));
        assert_eq!(Mode::Strip.triangles(&[0, 1]), (vec![], 2));
    }
}
