"""What goes wrong in the middle of a streamed answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping

from tests.vendors.dialects import Dialect
from tests.vendors.outlet import Outlet
from tests.vendors.pieces import JSON, Piece
from tests.vendors.wish import Fault, Wish

LONG_LINE_BYTES = 10 * 1024 * 1024
BEFORE_THE_FIRST_WORD = {
    Fault.HANG_BEFORE_FIRST_TOKEN,
    Fault.PINGS_BEFORE_FIRST_TOKEN,
    Fault.OVERLOADED,
}
CUT_AT: Mapping[Fault, Callable[[bytes], int]] = {
    Fault.CUT: lambda _wire: 0,
    Fault.CUT_MID_JSON: lambda wire: len(wire) // 2,
    Fault.CUT_MID_UTF8: lambda wire: next(at for at, byte in enumerate(wire) if byte >= 0x80) + 1,
}


class Stream:
    """Sends an answer's pieces until the fault comes; some faults end the answer, some only spoil it."""

    def __init__(self, outlet: Outlet, wish: Wish, dialect: Dialect, body: JSON) -> None:
        self._outlet = outlet
        self._wish = wish
        self._dialect = dialect
        self._body = body
        self._words_left = 0 if wish.fault in BEFORE_THE_FIRST_WORD else wish.after
        self._has_struck = False

    async def send(self, pieces: Iterable[Piece]) -> None:
        for piece in pieces:
            if piece.is_end_mark and self._wish.fault is Fault.NO_END_MARK:
                return
            if self._is_time_for(piece):
                if not await self._strike(piece):
                    return
                continue
            if piece.is_word and self._wish.fault is Fault.EMPTY_DELTAS:
                await self._outlet.send(self._dialect.empty_piece(self._body))
            await self._outlet.send(piece)
            self._words_left -= piece.is_word
            await self._linger_after(piece)

    async def _linger_after(self, piece: Piece) -> None:
        if piece.names_reason and self._wish.fault is Fault.HANG_AFTER_REASON:
            await hang()
        if piece.is_end_mark and self._wish.fault is Fault.LATE_END:
            await asyncio.sleep(0.005)

    def _is_time_for(self, piece: Piece) -> bool:
        if self._has_struck or not piece.is_word or self._words_left > 0:
            return False
        return self._wish.fault is not Fault.CUT_MID_UTF8 or not piece.wire.isascii()

    async def _strike(self, piece: Piece) -> bool:
        """Does what the fault is at this piece; says whether the answer goes on after it."""
        self._has_struck = True
        wire, outlet = piece.wire, self._outlet
        match self._wish.fault:
            case Fault.HANG_BEFORE_FIRST_TOKEN:
                await hang()
            case Fault.PINGS_BEFORE_FIRST_TOKEN:
                await self._ping_for_ever()
            case Fault.HANG_MID_TOKEN:
                await outlet.write(wire[: len(wire) // 2])
                await hang()
            case Fault.CUT | Fault.CUT_MID_JSON | Fault.CUT_MID_UTF8 as fault:
                await outlet.write(wire[: CUT_AT[fault](wire)])
                outlet.cut()
            case Fault.ERROR_IN_STREAM | Fault.OVERLOADED as fault:
                await outlet.send(self._dialect.error_piece(is_overloaded=fault is Fault.OVERLOADED))
            case _:
                return await self._spoil(piece)
        return False

    async def _spoil(self, piece: Piece) -> bool:
        """Does harm that the answer survives on this side."""
        outlet = self._outlet
        match self._wish.fault:
            case Fault.ENDS_WITHOUT_REASON:
                return False
            case Fault.MALFORMED_JSON:
                await outlet.write(piece.wire.rstrip()[:-5] + b"\n\n")
            case Fault.MALFORMED_LINE:
                await outlet.write(piece.wire.replace(b"data:", b"dta:"))
            case Fault.LONG_LINE:
                await self._send_long_line()
            case _:
                await outlet.send(piece)
        return True

    async def _send_long_line(self) -> None:
        await self._outlet.write(b'data: {"padding":"')
        for _ in range(LONG_LINE_BYTES // 65_536):
            await self._outlet.write(b"x" * 65_536)
        await self._outlet.write(b'"}\n\n')

    async def _ping_for_ever(self) -> None:
        while True:
            await self._outlet.write(b": still here\n\n")
            await asyncio.sleep(0.02)


async def hang() -> None:
    """Until the other side goes away, which cancels this."""
    await asyncio.Event().wait()
