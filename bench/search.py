"""What a search costs in a hundred thousand messages: rare words, common ones, phrases, beginnings of words."""

from __future__ import annotations

import functools
import random
import statistics
import time
from collections.abc import Callable

from bench.tables import milliseconds, print_table
from bench.targets import Target
from bench.timing import seconds_of
from bench.transcripts import Cast, cast, conversation_with
from sessions_app.models import Conversation
from sessions_app.services.search import search
from sessions_app.services.search.upkeep import catch_up, rebuild
from sessions_app.services.transcript import post_message

MESSAGES, ROUNDS = 100_000, 100
QUICK_MESSAGES, QUICK_ROUNDS = 1_000, 3
LONG_SHARE, CONVERSATIONS = 2, 50
PIECES, WORDS_PER_PIECE = 4, 20
VOCABULARY, COMMONEST = 20_000, 1.1
LIMIT_MILLISECONDS = 300.0


class Speaker:
    """Says words as people do: a few all the time, most of them hardly ever."""

    def __init__(self) -> None:
        self.chance = random.Random(1)
        self.words = [
            f"{self.chance.choice(STEMS)}{self.chance.choice(ENDS)}{n:x}" for n in range(VOCABULARY)
        ]
        self.weights = [1 / (rank + 1) ** COMMONEST for rank in range(VOCABULARY)]

    def say(self) -> str:
        return " " + " ".join(self.chance.choices(self.words, self.weights, k=WORDS_PER_PIECE))

    def word(self, least: int, most: int) -> str:
        """One between two ranks: 0 is the word that is said most often."""
        return self.words[self.chance.randrange(least, most)]


STEMS = ("tid", "rop", "shor", "anchor", "kelp", "harb", "lantern", "drift", "mast", "sail")
ENDS = ("e", "es", "ing", "er", "ed", "y")


def measure(*, quick: bool) -> list[Target]:
    count, rounds = (QUICK_MESSAGES, QUICK_ROUNDS) if quick else (MESSAGES, ROUNDS)
    people, speaker = cast(), Speaker()
    conversations = written(people, speaker, count)
    begun = time.perf_counter()
    entries = rebuild()
    built = time.perf_counter() - begun
    trials = queries(people, speaker, conversations)
    taken = {name: [trial() for _ in range(rounds)] for name, trial in trials.items()}
    return report(taken, count, rounds, f"{entries:,} entries were indexed in {built:.1f} s.")


def written(people: Cast, speaker: Speaker, messages: int) -> list[Conversation]:
    """Half in one long conversation, half in many."""
    exchanges = messages // 2
    sizes = [exchanges // LONG_SHARE] + [exchanges // LONG_SHARE // CONVERSATIONS] * CONVERSATIONS
    return [conversation_with(people, exchanges=size, texts=PIECES, says=speaker.say) for size in sizes]


def queries(
    people: Cast, speaker: Speaker, conversations: list[Conversation]
) -> dict[str, Callable[[], float]]:
    def found(typed: Callable[[], str], conversation: Conversation | None = None) -> float:
        words = typed()
        return seconds_of(lambda: search(words, by=people.alice, conversation=conversation))

    def said_just_now() -> float:
        catch_up()
        post_message(conversations[0], by=people.alice, text=speaker.say(), client_id=f"{time.time_ns()}")
        return found(lambda: speaker.word(5_000, 20_000))

    rare = functools.partial(speaker.word, 5_000, 20_000)
    common = functools.partial(speaker.word, 0, 20)
    return {
        "a rare word": lambda: found(rare),
        "a common word": lambda: found(common),
        "the word in half of all": lambda: found(lambda: "number"),
        "two common words": lambda: found(lambda: f"{common()} {common()}"),
        "a common phrase": lambda: found(lambda: f'"{common()} {common()}"'),
        "a beginning": lambda: found(lambda: speaker.word(0, 2_000)[:4]),
        "a word nobody said": lambda: found(lambda: "zeppelin"),
        "rare, in one conversation": lambda: found(rare, conversations[0]),
        "common, in a short conversation": lambda: found(common, conversations[-1]),
        "with a new message to index": said_just_now,
    }


def report(taken: dict[str, list[float]], count: int, rounds: int, note: str) -> list[Target]:
    every = [seconds for figures in taken.values() for seconds in figures]
    target = Target(f"search in {count:,} messages, p95", p95(every) * 1000, LIMIT_MILLISECONDS, " ms")
    rows = [
        [name, milliseconds(statistics.median(figures)), milliseconds(p95(figures)), "", ""]
        for name, figures in taken.items()
    ]
    rows.append(["all of them", milliseconds(statistics.median(every)), *target.cells])
    print_table(
        f"What a search costs in {count:,} messages",
        ["looked for", "p50", "p95", "target", ""],
        rows,
        f"{rounds} searches of each kind, a page of 20 with its passages. {note}",
    )
    return [target]


def p95(figures: list[float]) -> float:
    return sorted(figures)[int(len(figures) * 0.95)]
