//! Accessors: typed, bounds-checked reads of buffer views (glTF 2.0, section 3.6.2).
//!
//! Everything that a file can state wrongly (index, offset, stride, count, type) is checked in [`Accessor::open`]; the
//! reads after it cannot fail. Bytes are read unaligned, so that misaligned offsets, which glTF forbids, do no harm.

use std::ops::Range;

use super::container::{Bytes, Container};
use super::error::{Checked, Fault, resolve};
use super::json;

/// `componentType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Component {
    I8 = 5120,
    U8 = 5121,
    I16 = 5122,
    U16 = 5123,
    U32 = 5125,
    F32 = 5126,
}

use Component::{F32, I8, I16, U8, U16, U32};

impl Component {
    fn from_code(code: u32) -> Option<Self> {
        [I8, U8, I16, U16, U32, F32].into_iter().find(|component| *component as u32 == code)
    }

    fn size(self) -> usize {
        match self {
            I8 | U8 => 1,
            I16 | U16 => 2,
            U32 | F32 => 4,
        }
    }

    fn name(self) -> &'static str {
        match self {
            I8 => "byte",
            U8 => "unsigned byte",
            I16 => "short",
            U16 => "unsigned short",
            U32 => "unsigned int",
            F32 => "float",
        }
    }
}

/// An accessor whose every element is known to be in memory.
pub(super) struct Accessor {
    /// `/accessors/N`.
    pub pointer: String,
    pub count: usize,
    pub component: Component,
    pub normalized: bool,
    /// 1 for SCALAR, 2…4 for vectors; the element count of matrices.
    arity: usize,
    kind: String,
    /// `None`: zeros.
    elements: Option<Strided>,
    sparse: Option<Sparse>,
}

struct Strided {
    bytes: Bytes,
    stride: usize,
}

struct Sparse {
    indices: Vec<u32>,
    values: Bytes,
}

/// Elements of an accessor without a buffer view cost no bytes in the file, so a count alone could ask for all memory.
const MOST_ZEROS: usize = 1 << 24;

impl Accessor {
    /// Opens accessor `index`; `pointer` is the place that refers to it.
    pub fn open(container: &Container, index: usize, pointer: impl Fn() -> String) -> Checked<Self> {
        let json = resolve(&container.root.accessors, index, "accessor", pointer)?;
        let at = format!("/accessors/{index}");
        let component = component(json.component_type, &at)?;
        let arity = arity(&json.kind, component, &at)?;
        if json.count >= u32::MAX as usize {
            return Err(Fault::new(
                format!("{at}/count"),
                format!("{} elements are more than glTF can index", json.count),
            ));
        }
        let elements = match json.buffer_view {
            Some(view) => Some(strided(container, json, view, arity * component.size(), &at)?),
            None if json.count > MOST_ZEROS => {
                let message = format!("without a bufferView, at most {MOST_ZEROS} elements are allowed");
                return Err(Fault::new(format!("{at}/count"), message));
            }
            None => None,
        };
        let sparse = json.sparse.as_ref().map(|sparse| {
            open_sparse(container, sparse, json.count, arity * component.size(), &format!("{at}/sparse"))
        });
        Ok(Self {
            count: json.count,
            component,
            normalized: json.normalized,
            arity,
            kind: json.kind.clone(),
            elements,
            sparse: sparse.transpose()?,
            pointer: at,
        })
    }

    /// Refuses an accessor of another type than `kinds` (`VEC3` …) or of another component type than `components`.
    pub fn expect(&self, what: &str, kinds: &[&str], components: &[Component]) -> Checked<()> {
        if !kinds.contains(&self.kind.as_str()) {
            let message = format!("{what} has type \"{}\"; allowed: {}", self.kind, kinds.join(", "));
            return Err(Fault::new(format!("{}/type", self.pointer), message));
        }
        if !components.contains(&self.component) {
            let allowed: Vec<_> = components.iter().map(|c| format!("{} ({})", *c as u32, c.name())).collect();
            let message =
                format!("{what} has component type {}; allowed: {}", self.component as u32, allowed.join(", "));
            return Err(Fault::new(format!("{}/componentType", self.pointer), message));
        }
        Ok(())
    }

    /// Whether elements have the fourth component.
    pub fn has_alpha(&self) -> bool {
        self.arity == 4
    }

    /// The elements of `range` as floats: normalised integers in 0..1 or −1..1, others by value. Components that the
    /// accessor does not have are 0. `range` must lie within `0..count`.
    pub fn floats<const N: usize>(&self, range: Range<usize>) -> Vec<[f32; N]> {
        match (self.component, self.normalized) {
            (F32, _) => self.decode(range, f32::from_le_bytes),
            (U8, true) => self.decode(range, |[byte]| f32::from(byte) / 255.0),
            (U8, false) => self.decode(range, |[byte]| f32::from(byte)),
            (I8, true) => self.decode(range, |b| (f32::from(i8::from_le_bytes(b)) / 127.0).max(-1.0)),
            (I8, false) => self.decode(range, |b| f32::from(i8::from_le_bytes(b))),
            (U16, true) => self.decode(range, |b| f32::from(u16::from_le_bytes(b)) / 65535.0),
            (U16, false) => self.decode(range, |b| f32::from(u16::from_le_bytes(b))),
            (I16, true) => self.decode(range, |b| (f32::from(i16::from_le_bytes(b)) / 32767.0).max(-1.0)),
            (I16, false) => self.decode(range, |b| f32::from(i16::from_le_bytes(b))),
            (U32, _) => self.decode(range, |b| u32::from_le_bytes(b) as f32),
        }
    }

    /// All elements as vertex indices. The accessor must be an unsigned SCALAR.
    pub fn indices(&self) -> Vec<u32> {
        let first = |elements: Vec<[u32; 1]>| elements.into_iter().map(|[index]| index).collect();
        match self.component {
            U8 => first(self.decode(0..self.count, |[byte]| u32::from(byte))),
            U16 => first(self.decode(0..self.count, |b| u32::from(u16::from_le_bytes(b)))),
            _ => first(self.decode(0..self.count, u32::from_le_bytes)),
        }
    }

    /// `SIZE` is the component's size in bytes.
    fn decode<T: Copy + Default, const SIZE: usize, const N: usize>(
        &self,
        range: Range<usize>,
        convert: impl Fn([u8; SIZE]) -> T,
    ) -> Vec<[T; N]> {
        let components = self.arity.min(N);
        let element = |bytes: &[u8]| {
            let mut out = [T::default(); N];
            for (value, bytes) in out[..components].iter_mut().zip(bytes.chunks_exact(SIZE)) {
                *value = convert(bytes.try_into().expect("chunks_exact yields SIZE bytes"));
            }
            out
        };
        let mut out: Vec<[T; N]> = match &self.elements {
            Some(Strided { bytes, stride }) => {
                range.clone().map(|index| element(&bytes[index * stride..][..self.arity * SIZE])).collect()
            }
            None => vec![[T::default(); N]; range.len()],
        };
        if let Some(Sparse { indices, values }) = &self.sparse {
            for (index, bytes) in indices.iter().zip(values.chunks_exact(self.arity * SIZE)) {
                if range.contains(&(*index as usize)) {
                    out[*index as usize - range.start] = element(bytes);
                }
            }
        }
        out
    }
}

fn component(code: u32, at: &str) -> Checked<Component> {
    Component::from_code(code).ok_or_else(|| {
        let message = format!("component type {code} is unknown; allowed: 5120, 5121, 5122, 5123, 5125, 5126");
        Fault::new(format!("{at}/componentType"), message)
    })
}

/// Components of an element. Matrices count their padded columns only where they have none (no attribute is a matrix).
fn arity(kind: &str, component: Component, at: &str) -> Checked<usize> {
    Ok(match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        "MAT2" if component.size() == 4 => 4,
        "MAT3" if component.size() == 4 => 9,
        "MAT4" => 16,
        "MAT2" | "MAT3" => return Err(Fault::new(at, format!("{kind} of {} is not read", component.name()))),
        _ => {
            let message = format!("type \"{kind}\" is unknown; allowed: SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3, MAT4");
            return Err(Fault::new(format!("{at}/type"), message));
        }
    })
}

fn strided(container: &Container, json: &json::Accessor, view: usize, size: usize, at: &str) -> Checked<Strided> {
    let (bytes, stride) = container.view(view, || format!("{at}/bufferView"))?;
    let stride = stride.unwrap_or(size);
    if stride < size {
        let message = format!("byteStride {stride} is less than the {size} bytes of an element of {at}");
        return Err(Fault::new(format!("/bufferViews/{view}/byteStride"), message));
    }
    let needed = span(json.count, stride, size).and_then(|span| span.checked_add(json.byte_offset));
    if needed.is_none_or(|needed| needed > bytes.len()) {
        let message = format!(
            "{} elements of {size} bytes, {stride} apart, from byteOffset {} on exceed bufferView {view} of {} bytes",
            json.count,
            json.byte_offset,
            bytes.len()
        );
        return Err(Fault::new(format!("{at}/byteOffset"), message));
    }
    let bytes = bytes.slice(json.byte_offset..bytes.len()).unwrap_or(bytes);
    Ok(Strided { bytes, stride })
}

/// Bytes from the first element's begin to the last one's end.
fn span(count: usize, stride: usize, size: usize) -> Option<usize> {
    match count.checked_sub(1) {
        Some(gaps) => gaps.checked_mul(stride)?.checked_add(size),
        None => Some(0),
    }
}

fn open_sparse(container: &Container, sparse: &json::Sparse, count: usize, size: usize, at: &str) -> Checked<Sparse> {
    if sparse.count > count {
        let message = format!("{} sparse elements exceed the accessor's {count}", sparse.count);
        return Err(Fault::new(format!("{at}/count"), message));
    }
    let packed = |view: usize, offset: usize, size: usize, part: &str| -> Checked<Bytes> {
        let at = format!("{at}/{part}");
        let (bytes, _) = container.view(view, || format!("{at}/bufferView"))?;
        let end = sparse.count.checked_mul(size).and_then(|length| length.checked_add(offset));
        end.and_then(|end| bytes.slice(offset..end)).ok_or_else(|| {
            let message = format!(
                "{} elements of {size} bytes from byteOffset {offset} on exceed bufferView {view} of {} bytes",
                sparse.count,
                bytes.len()
            );
            Fault::new(format!("{at}/byteOffset"), message)
        })
    };
    let component = component(sparse.indices.component_type, &format!("{at}/indices"))?;
    let bytes = packed(sparse.indices.buffer_view, sparse.indices.byte_offset, component.size(), "indices")?;
    let indices: Vec<u32> = match component {
        U8 => bytes.iter().map(|byte| u32::from(*byte)).collect(),
        U16 => bytes.as_chunks().0.iter().map(|b| u32::from(u16::from_le_bytes(*b))).collect(),
        U32 => bytes.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b)).collect(),
        _ => {
            let message = "sparse indices must be unsigned: allowed are 5121, 5123, 5125";
            return Err(Fault::new(format!("{at}/indices/componentType"), message));
        }
    };
    if let Some(index) = indices.iter().find(|index| **index as usize >= count) {
        let message = format!("sparse index {index} exceeds the accessor's {count} elements");
        return Err(Fault::new(format!("{at}/indices"), message));
    }
    let values = packed(sparse.values.buffer_view, sparse.values.byte_offset, size, "values")?;
    Ok(Sparse { indices, values })
}
