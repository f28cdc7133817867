"""How mesh files are to be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ....core.errors import DynarigError
from ..importing.options import ColladaUp, GltfUp, ImportOptions

# takes the part that is done, 0 to 1, and what comes next; it may raise to stop
Progress = Callable[[float, str], None]


class MeshSettingsError(DynarigError):
    """A setting outside its range."""


@dataclass(frozen=True)
class MeshSettings:
    """The choices of an import that concern its meshes; see ImportOptions for their meaning.

    Raises:
        MeshSettingsError: for a decimation that is not above 0 and up to 1.
    """

    collada_up: ColladaUp = "IGNORE"
    gltf_up: GltfUp = "AUTO"
    decimation: float = 1.0

    def __post_init__(self) -> None:
        """Check at the door."""
        if not 0.0 < self.decimation <= 1.0:
            raise MeshSettingsError(
                f"decimation is {self.decimation:g}; wanted above 0 and up to 1"
            )

    @classmethod
    def of(cls, options: ImportOptions) -> MeshSettings:
        """Those of a whole import."""
        return cls(options.collada_up, options.gltf_up, options.decimation)
