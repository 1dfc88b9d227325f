//! What a ray meets where there are decals: `crate::decal` says which count, here the rays are asked.

use glam::Vec3;

use super::passage::{Interaction, Origin, Passage, glass_transmittance};
use crate::decal::composite;
use crate::decal::layers::{self, Kind, Layer, Layers, Plane};
use crate::gbuffer::GBuffer;
use crate::geometry::mesh::mask;
use crate::geometry::surface::Surface;
use crate::geometry::{Hit, Ray};
use crate::material::Class;

/// The part of a ray on which decals are looked for.
struct Span<'h> {
    /// Behind this hit; `None`: from the ray's start.
    after: Option<&'h Hit>,
    /// Up to this distance.
    end: f32,
    /// The last pane that the ray went through: it would not have been seen through a road decal in front of it.
    pane: Option<&'h Hit>,
}

impl Passage<'_> {
    /// `met`, the first surface on the ray, as decals change it; `pane` is the pane that the ray passed last.
    pub(super) fn painted(
        &mut self,
        ray: &Ray,
        met: Option<Interaction>,
        pane: Option<&Hit>,
        origin: Origin,
    ) -> Option<Interaction> {
        let mut at = if self.scene.traits.decals { self.layered(ray, met, pane, origin) } else { met }?;
        if !self.scene.boxes.is_empty() {
            self.paint_boxes(ray, &mut at);
        }
        Some(at)
    }

    /// `met` under the road and mesh decals in front of it, or the road decal that hides it.
    fn layered(
        &mut self,
        ray: &Ray,
        met: Option<Interaction>,
        pane: Option<&Hit>,
        origin: Origin,
    ) -> Option<Interaction> {
        let mut layers = Layers::default();
        let glass = met.as_ref().filter(|at| at.gbuffer.glass.is_some()).map(|at| at.hit);
        let Some(glass) = glass else {
            let span = Span { after: None, end: self.end_of_search(ray, met.as_ref()), pane };
            self.gather(&mut layers, ray, &span, origin);
            return self.composed(ray, met, layers, origin);
        };
        self.gather(&mut layers, ray, &Span { after: None, end: glass.t, pane }, origin);
        if !layers.has_road() {
            return met;
        }
        let behind = self.behind_panes(ray, &glass, origin);
        let end = self.end_of_search(ray, behind.as_ref());
        self.gather(&mut layers, ray, &Span { after: Some(&glass), end, pane }, origin);
        self.composed(ray, behind, layers, origin)
    }

    /// Where decals of the surface `met` end along the ray, as far as distances can tell.
    fn end_of_search(&self, ray: &Ray, met: Option<&Interaction>) -> f32 {
        met.map_or(ray.t_max, |at| at.hit.t + layers::slack(&at.surface, ray, at.hit.t))
    }

    /// Adds the decals of a span that are there and are not passed from below.
    fn gather(&mut self, layers: &mut Layers, ray: &Ray, span: &Span, origin: Origin) {
        let part = Ray { t_max: span.end.min(ray.t_max), ..*ray };
        let accel = &self.scene.accel;
        self.rays += 1;
        let mut next = match span.after {
            None => accel.closest(&part, mask::DECAL),
            Some(after) => accel.closest_after(&part, mask::DECAL, after),
        };
        while let Some(hit) = next {
            if let Some(layer) = self.layer(ray, hit, span.pane, origin) {
                layers.push(layer);
            }
            self.rays += 1;
            next = accel.closest_after(&part, mask::DECAL, &hit);
        }
    }

    fn layer(&mut self, ray: &Ray, hit: Hit, pane: Option<&Hit>, origin: Origin) -> Option<Layer> {
        let scene = self.scene;
        let surface = Surface::at(&scene.meshes, &scene.instances, ray, &hit);
        let material = &scene.materials[surface.material as usize];
        let kind = if material.class == Class::MeshDecal { Kind::Mesh } else { Kind::Road };
        let before_pane = kind == Kind::Road && pane.is_some_and(|pane| hit.t <= pane.t);
        let out_of_sight = before_pane || self.culled(&surface, material, origin);
        if out_of_sight
            || self.leaves_below(&surface, ray.direction)
            || !self.decal_is_there(ray, &hit, &surface, origin)
        {
            return None;
        }
        let plane = Plane::at(&scene.meshes, &scene.instances, ray, &hit);
        Some(Layer { hit, kind, plane, slack: layers::slack(&surface, ray, hit.t) })
    }

    /// A road decal may be there by chance. A mesh decal covers by its weight instead, so that only its discard counts.
    fn decal_is_there(&mut self, ray: &Ray, hit: &Hit, surface: &Surface, origin: Origin) -> bool {
        let material = &self.scene.materials[surface.material as usize];
        let point = self.point(ray, hit, surface, origin);
        if material.class == Class::MeshDecal {
            return !material.may_discard || !material.material.opacity(&point, &self.context).discard;
        }
        let presence = self.presence(material, &point, origin);
        presence > 0.0 && (presence >= 1.0 || self.random() < presence)
    }

    /// Whether a ray from the current departure crosses a decal from below.
    pub(super) fn leaves_below(&self, decal: &Surface, direction: Vec3) -> bool {
        let material = &self.scene.materials[decal.material as usize];
        let is_decal = matches!(material.class, Class::RoadDecal | Class::MeshDecal);
        let reach = self.scene.world.decal_reach;
        is_decal && self.departure.is_some_and(|departure| departure.below(decal, direction, reach))
    }

    /// The surface that is left when all layers are composed with the surface behind them.
    fn composed(
        &mut self,
        ray: &Ray,
        behind: Option<Interaction>,
        mut layers: Layers,
        origin: Origin,
    ) -> Option<Interaction> {
        if layers.is_empty() {
            return behind;
        }
        let (scene, reach) = (self.scene, self.scene.world.decal_reach);
        let plane_at = |hit: &Hit| Plane::at(&scene.meshes, &scene.instances, ray, hit);
        let receiver =
            behind.as_ref().map(|at| (plane_at(&at.hit), at.hit.t, layers::slack(&at.surface, ray, at.hit.t)));
        if let Some((plane, t, slack)) = &receiver {
            layers.drop_hidden(plane, *t, *slack);
        }
        let plane = receiver.map(|(plane, ..)| plane);
        layers.sort(&plane.unwrap_or(layers.as_slice().first()?.plane));
        let resolved = layers.resolve(plane.as_ref(), reach);
        let mut at = match resolved.surface {
            Some(index) => Some(self.decal_surface(ray, layers.as_slice()[index].hit, origin)),
            None => behind,
        }?;
        if let Some(index) = resolved.road {
            let hit = layers.as_slice()[index].hit;
            let decal = self.decal_surface(ray, hit, origin);
            (at.hit, at.gbuffer, at.material, at.decal_weight) = (hit, decal.gbuffer, decal.material, 1.0);
        }
        if at.material_in(scene).receives {
            for layer in layers.edits(&resolved, plane_at(&at.hit), reach) {
                self.edit(ray, &mut at, &layer.hit, origin);
            }
        }
        Some(at)
    }

    /// A decal as a surface of its own.
    fn decal_surface(&self, ray: &Ray, hit: Hit, origin: Origin) -> Interaction {
        let scene = self.scene;
        let surface = Surface::at(&scene.meshes, &scene.instances, ray, &hit);
        let material = &scene.materials[surface.material as usize];
        let point = self.point(ray, &hit, &surface, origin);
        let gbuffer = material.material.evaluate(&point, &self.context);
        Interaction { hit, surface, gbuffer, material: surface.material, decal_weight: 0.0 }
    }

    fn edit(&self, ray: &Ray, at: &mut Interaction, hit: &Hit, origin: Origin) {
        let decal = self.decal_surface(ray, *hit, origin);
        let targets = composite::targets(&decal.gbuffer);
        let weight = composite::over(&mut at.gbuffer, &targets, self.scene.world.decal_composite);
        at.decal_weight = composite::joined_weight(at.decal_weight, weight);
    }

    /// Lets the boxes paint what is seen.
    fn paint_boxes(&self, ray: &Ray, at: &mut Interaction) {
        if !at.material_in(self.scene).receives || at.gbuffer.glass.is_some() {
            return;
        }
        let scene = self.scene;
        let seen = at.seen(scene, ray);
        scene.boxes.at(seen.p, |one| {
            let point = one.point(seen.p, seen.ng_facing(), self.pixel);
            let decal = scene.materials[one.material as usize].material.evaluate(&point, &self.context);
            if decal.discard {
                return;
            }
            let weight = composite::over(&mut at.gbuffer, &composite::targets(&decal), scene.world.decal_composite);
            at.decal_weight = composite::joined_weight(at.decal_weight, weight);
        });
    }

    /// What the lit surface would be without decals.
    pub(super) fn bare(&self, ray: &Ray, at: &Interaction) -> GBuffer {
        let surface = &at.surface;
        let material = &self.scene.materials[surface.material as usize];
        let point = self.point(ray, &at.hit, surface, Origin::Camera);
        material.material.evaluate(&point, &self.context)
    }

    /// How much light road decals let through along a shadow ray. Only those that paint the surface which the ray leaves do,
    /// and those that are not there: see the page of `crate::decal`.
    pub(super) fn decal_transmittance(&mut self, ray: &Ray) -> f32 {
        let scene = self.scene;
        let mut through = 1.0;
        let mut next = scene.accel.closest(ray, mask::DECAL);
        while let Some(hit) = next {
            self.rays += 1;
            let surface = Surface::at(&scene.meshes, &scene.instances, ray, &hit);
            let material = &scene.materials[surface.material as usize];
            if material.class == Class::RoadDecal && !self.leaves_below(&surface, ray.direction) {
                let point = self.point(ray, &hit, &surface, Origin::Bounce);
                through *= 1.0 - self.presence(material, &point, Origin::Bounce);
                if through <= 0.0 {
                    return 0.0;
                }
            }
            next = scene.accel.closest_after(ray, mask::DECAL, &hit);
        }
        through
    }

    /// The first surface behind the pane at `pane` that is not glass, without its decals.
    fn behind_panes(&mut self, ray: &Ray, pane: &Hit, origin: Origin) -> Option<Interaction> {
        let mut last = *pane;
        loop {
            let hit = self.find(ray, Some(&last))?;
            let mut at = Interaction::BLANK;
            if !self.first_there(ray, hit, origin, &mut at) {
                return None;
            }
            if at.gbuffer.glass.is_none() {
                return Some(at);
            }
            last = at.hit;
        }
    }

    /// What a camera ray sees behind the pane at `pane` and all that follow: the product of their transmittances (the first
    /// one's not in it), and the first surface that is not glass. The path's own random numbers stay as they are, so that what
    /// the film keeps does not change its radiance.
    pub fn behind_glass(&mut self, ray: &Ray, pane: &Hit) -> (Vec3, Option<Interaction>) {
        let random = self.random;
        let mut transmittance = Vec3::ONE;
        let mut last = *pane;
        let behind = loop {
            match self.next(ray, Some(&last), Origin::Camera) {
                Some(at) if at.gbuffer.glass.is_some() => {
                    transmittance *= glass_transmittance(&at.gbuffer);
                    last = at.hit;
                }
                other => break other,
            }
        };
        self.random = random;
        (transmittance, behind)
    }
}
