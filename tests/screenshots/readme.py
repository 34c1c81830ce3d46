"""The four pictures of README.md, made of screenshots and small enough to be kept."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

FOLDER = Path("docs/pictures")
MOST_BYTES = 150_000
HEIGHT = 800
GAP = 24
PICTURES = {
    "lobby": ["lobby-busy.desktop.light"],
    "qubic": ["room-qubic-over.desktop.dark"],
    "phone": ["people-my-turn.phone.light", "room-qubic-cube-threats.phone.dark", "learn-ultimate.phone.light"],
    "review": ["replay-tictactoe-review.desktop.light"],
}
"""The screenshots that stand beside each other, cut below the first screen."""
TALLER = {"phone": 844, "review": 1320}


def write_pictures(shots: Path) -> None:
    for name, parts in PICTURES.items():
        height = TALLER.get(name, HEIGHT)
        path = FOLDER / f"{name}.webp"
        beside([Image.open(shots / f"{part}.png").convert("RGB") for part in parts], height).save(path, quality=85)
        if path.stat().st_size > MOST_BYTES:
            raise ValueError(f"{path} has {path.stat().st_size:,} bytes: {MOST_BYTES:,} are the most.")


def beside(images: list[Image.Image], height: int) -> Image.Image:
    width = sum(image.width for image in images) + GAP * (len(images) - 1)
    whole = Image.new("RGB", (width, height), "white")
    left = 0
    for image in images:
        whole.paste(image.crop((0, 0, image.width, height)), (left, 0))
        left += image.width + GAP
    return whole
