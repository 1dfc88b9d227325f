//! Where a parameter or a texture index lies when a draw runs. Documentation 003, "How a draw reaches its material", with
//! 000 (rock families, LED panel), 001 (ground permutations) and 002 (deferred decals).
//!
//! World families read a block of constants: a parameter is register offset / 16, component offset % 16 / 4 (of its CBMP
//! offset), and a texture's index is the dword base + TXMP value. TXMP values count from 16, so that "texture indices from
//! register R" (4R dwords) is a base of 4R − 16: environmentdeferreddecal's register 9 is 002's "dword 20 + index".
//! By that 001's base of environment_plot (4 dwords before the end of 384 bytes: 92) and 003's (register 27: 108 − 16)
//! are the same. Car families use bound registers instead: cb0, t and s.

/// TXMP values of the game count from here.
const FIRST_SLOT: i32 = 16;

/// A place in a block of 16-byte registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub register: u32,
    /// 0..=3.
    pub component: u32,
}

impl Place {
    /// Of a byte offset; the two bits below a dword are dropped.
    pub fn of_offset(offset: u16) -> Self {
        Self::of_dword(u32::from(offset) / 4)
    }

    /// Of a dword's index.
    pub fn of_dword(dword: u32) -> Self {
        Self { register: dword / 4, component: dword % 4 }
    }

    /// "x", "y", "z" or "w".
    pub fn letter(self) -> &'static str {
        ["x", "y", "z", "w"][self.component as usize & 3]
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "r{}.{}", self.register, self.letter())
    }
}

/// How a family's textures are bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Textures {
    /// Their indices are dwords of the material's block, from `base` + TXMP value on.
    Block { base: i32 },
    /// TXMP values are t registers, SPMP values s registers, CBMP offsets lie in cb0.
    Bound,
    /// The documentation names no base for this family: often the end of the constants, but not always.
    Unknown,
}

/// Where a documented base comes from.
enum Base {
    /// A dword.
    Dword(i32),
    /// Texture indices begin at this register.
    Register(i32),
    /// This many dwords before the end of the constants.
    BeforeEnd(i32),
}

const BASES: [(&str, Base); 14] = [
    ("environment", Base::Dword(188)),
    ("window_linecastroom", Base::Dword(124)),
    ("uber_rock_array", Base::Dword(88)),
    ("uber_rock", Base::Dword(76)),
    ("environmentdeferreddecal", Base::Register(9)),
    ("projection_lod", Base::Register(9)),
    ("anim_flag", Base::Register(12)),
    ("anim_ledflipbookpanel", Base::Register(7)),
    ("environment_plot", Base::BeforeEnd(4)),
    ("terr_mega", Base::BeforeEnd(0)),
    ("terr_distant", Base::BeforeEnd(0)),
    ("uber_road", Base::BeforeEnd(0)),
    ("uber_roaddecal", Base::Register(0)),
    ("uber_roaddecalretro", Base::Register(0)),
];

impl Textures {
    /// Of a family by its name; `constants` are the bytes that CBEX says.
    pub fn of_family(family: &str, constants: Option<u16>) -> Self {
        if family.starts_with("car_") {
            return Self::Bound;
        }
        let base = BASES.iter().find(|(name, _)| *name == family).and_then(|(_, base)| match base {
            Base::Dword(dword) => Some(*dword),
            Base::Register(register) => Some(register * 4 - FIRST_SLOT),
            Base::BeforeEnd(dwords) => Some(i32::from(constants?) / 4 - dwords),
        });
        base.map_or(Self::Unknown, |base| Self::Block { base })
    }

    /// Where the index of the texture with that TXMP value lies in the material's block.
    pub fn place(self, slot: u16) -> Option<Place> {
        match self {
            Self::Block { base } => u32::try_from(base + i32::from(slot)).ok().map(Place::of_dword),
            Self::Bound | Self::Unknown => None,
        }
    }
}

/// The packed integer X of a draw, which locates its material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw(pub u32);

impl Draw {
    /// The row of the constant with that CBMP offset: (X >> 16) + offset / 16.
    pub fn constant_row(self, offset: u16) -> u32 {
        (self.0 >> 16) + u32::from(offset) / 16
    }

    /// The index buffer's entry of the texture with that TXMP value: (X & 0xFFFF) + (value − 16). `None` where that is negative.
    pub fn texture_entry(self, slot: u16) -> Option<u32> {
        u32::try_from(i64::from(self.0 & 0xffff) + i64::from(slot) - i64::from(FIRST_SLOT)).ok()
    }

    /// The row that road decals (`uber_roaddecal*`) keep their texture indices in: (X >> 2) & 0x3FFF.
    pub fn decal_row(self) -> u32 {
        self.0 >> 2 & 0x3fff
    }

    /// Whether a family reaches its textures through [`Draw::decal_row`].
    pub fn is_decal(family: &str) -> bool {
        matches!(family, "uber_roaddecal" | "uber_roaddecalretro")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documented_places() {
        let place =
            |family, constants, slot| Textures::of_family(family, constants).place(slot).map(|place| place.to_string());
        // 002: DiffAlphaTex r9.y, NormalTex r9.z, RoughMetAOTex r9.w; slot n at dword 20 + n.
        assert_eq!(place("environmentdeferreddecal", None, 17).as_deref(), Some("r9.y"));
        assert_eq!(place("environmentdeferreddecal", None, 19).as_deref(), Some("r9.w"));
        // 003: from register 27; 001: 4 dwords before the end of 384 bytes.
        assert_eq!(place("environment_plot", Some(384), 16).as_deref(), Some("r27.x"));
        assert_eq!(place("anim_flag", None, 16).as_deref(), Some("r12.x"));
        assert_eq!(place("anim_ledflipbookpanel", None, 17).as_deref(), Some("r7.y"));
        assert_eq!(Textures::of_family("environment", Some(1)), Textures::Block { base: 188 });
        assert_eq!(Textures::of_family("window_linecastroom", Some(528)), Textures::Block { base: 124 });
        assert_eq!(Textures::of_family("uber_road", Some(288)), Textures::Block { base: 72 });
        assert_eq!(place("uber_roaddecal", None, 16).as_deref(), Some("r0.x"));
        assert_eq!(Textures::of_family("uber_roaddecal", None).place(3), None);
        assert_eq!(Textures::of_family("car_standard", Some(528)), Textures::Bound);
        assert_eq!(Textures::of_family("terr_mega", None), Textures::Unknown);
        assert_eq!(Textures::of_family("somewhat", Some(64)), Textures::Unknown);
    }

    #[test]
    fn a_draws_integer_holds_a_row_and_an_entry() {
        let draw = Draw(0x0123_4567);
        assert_eq!(draw.constant_row(40), 0x123 + 2);
        assert_eq!(draw.texture_entry(18), Some(0x4569));
        assert_eq!(draw.decal_row(), 0x0123_4567 >> 2 & 0x3fff);
        assert_eq!(Draw(3).texture_entry(0), None);
    }

    #[test]
    fn offsets_are_registers_and_components() {
        assert_eq!(Place::of_offset(0).to_string(), "r0.x");
        assert_eq!(Place::of_offset(228), Place { register: 14, component: 1 });
    }
}
