"""How far somebody reaches in one conversation: a rule of its openness, their role, and what they are named."""

from __future__ import annotations

from dataclasses import dataclass

from sessions_app.models import MANAGERS, Level, Openness, Role

CEILING = {
    Role.OWNER: Level.CONTROL,
    Role.ADMIN: Level.CONTROL,
    Role.MEMBER: Level.CONTROL,
    Role.VIEWER: Level.VIEW,
}
RANKS = list(Level)


def reaches(level: str | None, wanted: Level) -> bool:
    """Each level includes those before it."""
    return level is not None and RANKS.index(Level(level)) >= RANKS.index(wanted)


def level_of(openness: str, role: str | None, named: str | None) -> Level | None:
    """None is somebody to whom the conversation does not exist. The role is the ceiling; to be named opens what
    is closed, and where everybody is let in it can only lower."""
    if role is None:
        return None
    ceiling = CEILING[Role(role)]
    if openness != Openness.PRIVATE and role in MANAGERS:
        return ceiling
    if openness != Openness.OPEN and named is None:
        return None
    return ceiling if named is None or reaches(named, ceiling) else Level(named)


@dataclass(frozen=True)
class Standing:
    """What somebody is to a conversation, in its workspace and by name."""

    openness: str
    role: str | None
    named: str | None
    is_starter: bool

    @property
    def level(self) -> Level | None:
        return level_of(self.openness, self.role, self.named)

    @property
    def may_share(self) -> bool:
        """Everybody controls what is open; whom it belongs to is for those to say who began it, are named for it,
        or manage the workspace. Otherwise any member could take a team's conversation away."""
        if not reaches(self.level, Level.CONTROL):
            return False
        is_named = self.named == Level.CONTROL
        return self.openness != Openness.OPEN or self.is_starter or is_named or self.role in MANAGERS
