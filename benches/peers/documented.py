"""Our BRDF for Mitsuba 3: the documentation's formulas as they stand there, apart from src/brdf and its forms.

Import it after Mitsuba's variant is set; the BSDF is then registered as `documented`, with the properties `base_color`
(linear RGB), `metallic` and `roughness`. It lights one side: put it into `twosided`. Only shading normals that equal the
geometric ones are meant: a direction below Ng is not cut off. Directions are drawn by the cosine, which is noisy for
smooth metals and right for all.
"""

import drjit
import mitsuba
from mitsuba import BSDFFlags, Color3f

ABOVE = 1e-6


class Documented(mitsuba.BSDF):
    def __init__(self, properties):
        super().__init__(properties)
        self.albedo = Color3f(properties["base_color"])
        self.metalness, self.roughness = properties["metallic"], properties["roughness"]
        self.m_components = [BSDFFlags.DiffuseReflection | BSDFFlags.GlossyReflection | BSDFFlags.FrontSide]
        self.m_flags = self.m_components[0]

    def f(self, v, l):
        """Diffuse and specular of the viewer and the light, in the frame of the normal."""
        h = drjit.normalize(l + v)
        l_h = drjit.dot(l, h)
        a4 = max(self.roughness, 0.05) ** 4
        d = a4 / (drjit.pi * drjit.square(drjit.square(h.z) * (a4 - 1) + 1))
        k = self.roughness**2 / 2
        g = (l.z / (l.z * (1 - k) + k)) * (v.z / (v.z * (1 - k) + k))
        f0 = 0.04 * (1 - self.metalness) + self.albedo * self.metalness
        specular = d * g * (f0 + (1 - f0) * (1 - l_h) ** 5) / (4 * l.z * v.z)
        f90 = 0.5 + 2 * self.roughness * l_h * l_h
        burley = (1 + (f90 - 1) * (1 - l.z) ** 5) * (1 + (f90 - 1) * (1 - v.z) ** 5)
        return (1 - self.metalness) * self.albedo / drjit.pi * burley + specular

    def eval(self, context, si, wo, active=True):
        above = active & (si.wi.z > ABOVE) & (wo.z > ABOVE)
        return drjit.select(above, self.f(si.wi, wo) * wo.z, 0)

    def pdf(self, context, si, wo, active=True):
        above = active & (si.wi.z > ABOVE) & (wo.z > ABOVE)
        return drjit.select(above, mitsuba.warp.square_to_cosine_hemisphere_pdf(wo), 0)

    def eval_pdf(self, context, si, wo, active=True):
        return self.eval(context, si, wo, active), self.pdf(context, si, wo, active)

    def sample(self, context, si, sample1, sample2, active=True):
        sample = mitsuba.BSDFSample3f()
        sample.wo = mitsuba.warp.square_to_cosine_hemisphere(sample2)
        sample.pdf = mitsuba.warp.square_to_cosine_hemisphere_pdf(sample.wo)
        sample.eta = 1.0
        sample.sampled_type = mitsuba.UInt32(+self.m_flags)
        sample.sampled_component = mitsuba.UInt32(0)
        active = active & (sample.pdf > 0)
        return sample, drjit.select(active, self.eval(context, si, sample.wo, active) / sample.pdf, 0)

    def to_string(self):
        return f"Documented[{self.albedo}, metalness {self.metalness}, roughness {self.roughness}]"


mitsuba.register_bsdf("documented", Documented)
