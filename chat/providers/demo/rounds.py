"""What the demo agent says in each round of a turn: a pure function of question, tools and results."""

from __future__ import annotations

from dataclasses import dataclass

from chat.events import Asked, Prompt, Replied, Returned, ToolCall, ToolSpec
from chat.providers.demo import summaries
from chat.providers.demo.calling import announce, calls_to_make, make_call, talk_about
from chat.providers.demo.texts import REASONING, answer_to, text_named
from chat.providers.demo.tokens import first_tokens, numbered
from chat.providers.demo.wishes import Fault, FaultKind, Wish, read_wish


@dataclass(frozen=True)
class Round:
    """All that is said until a tool is called or the answer is complete, from its first word on."""

    rate: float
    reasoning: str = ""
    text: str = ""
    call: ToolCall | None = None
    fault: Fault | None = None

    @property
    def text_before_fault(self) -> str:
        return self.text if self.fault is None else first_tokens(self.text, self.fault.after)


def round_of(prompt: Prompt) -> Round:
    """The round that the prompt asks for, whole, whatever of it was said before."""
    question = question_of(prompt)
    if summaries.is_wanted(question):
        return Round(rate=0, text=summaries.write(question, prompt.messages))
    return plan_round(question, prompt.tools, results_of(prompt), calls_before=_calls_before(prompt))


def plan_round(
    question: str, tools: tuple[ToolSpec, ...], results: tuple[Returned, ...], *, calls_before: int = 0
) -> Round:
    """What follows a question once its tools have given these results."""
    wish = read_wish(question)
    if wish is None:
        return Round(rate=Wish().rate, reasoning=REASONING, text=answer_to(question))
    calls = calls_to_make(wish.calls, tools)
    text = _text(wish, question, tools, results, rounds=len(calls) + 1)
    reasoning = "" if results else _reasoning(wish)
    if len(results) < len(calls):
        call = make_call(calls[len(results)], tools, number=calls_before + len(results) + 1)
        return Round(wish.rate, reasoning, text, call)
    return Round(wish.rate, reasoning, text, fault=wish.fault)


def expected_text(question: str, tools: tuple[ToolSpec, ...] = (), results: tuple[Returned, ...] = ()) -> str:
    """The text of all rounds together, as a turn that nobody interrupts gives it."""
    rounds = (plan_round(question, tools, results[:count]) for count in range(len(results) + 1))
    return "".join(each.text_before_fault for each in rounds)


def expected_reasoning(question: str) -> str:
    """What is thought before the first word of the answer."""
    return plan_round(question, (), ()).reasoning


def question_of(prompt: Prompt) -> str:
    asked = (message.text for message in reversed(prompt.messages) if isinstance(message, Asked))
    return next(asked, "")


def results_of(prompt: Prompt) -> tuple[Returned, ...]:
    """What tools have given back since the question, which says how many rounds are over."""
    since: list[Returned] = []
    for message in reversed(prompt.messages):
        if isinstance(message, Asked):
            break
        if isinstance(message, Returned):
            since.insert(0, message)
    return tuple(since)


def _calls_before(prompt: Prompt) -> int:
    """Calls of earlier turns: an id is used once in a conversation."""
    returned = sum(isinstance(message, Returned) for message in prompt.messages)
    return returned - len(results_of(prompt))


def _text(
    wish: Wish, question: str, tools: tuple[ToolSpec, ...], results: tuple[Returned, ...], *, rounds: int
) -> str:
    number = len(results)
    if wish.tokens is not None:
        first, last = wish.tokens * number // rounds, wish.tokens * (number + 1) // rounds
        return numbered("word", first + 1, last)
    about = talk_about(results[-1]) if results else ""
    if number < rounds - 1:
        return about + announce(wish.calls, number, tools)
    return about + _closing(wish, question, tools, rounds)


def _closing(wish: Wish, question: str, tools: tuple[ToolSpec, ...], rounds: int) -> str:
    if wish.echo is not None:
        return wish.echo
    if wish.text:
        return text_named(wish.text)
    if wish.fault and wish.fault.kind is FaultKind.REFUSE:
        return text_named("refuse")
    if wish.calls:
        return text_named("tools") if rounds > 1 else announce(wish.calls, 0, tools)
    return answer_to(question)


def _reasoning(wish: Wish) -> str:
    if wish.thoughts is not None:
        return numbered("thought", 1, wish.thoughts)
    is_prose = wish.tokens is None and wish.echo is None
    return REASONING if is_prose else ""


def said_of(prompt: Prompt) -> Replied:
    """What is already said of the round that the prompt asks for."""
    last = prompt.messages[-1] if prompt.messages else None
    return last if prompt.continues and isinstance(last, Replied) else Replied(())
