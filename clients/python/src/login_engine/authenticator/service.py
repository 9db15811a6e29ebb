"""Runs the handlers of an authenticator: many conversations at once, on one event loop and a pool of threads."""

from __future__ import annotations

import asyncio
import functools
import inspect
import sys
import traceback
from collections import OrderedDict
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from login_engine.authenticator.answers import Answer, Failure, rejected
from login_engine.authenticator.questions import Cancelled, Conversation, Question

if TYPE_CHECKING:
    from login_engine.authenticator.authenticator import Authenticator, Handler

Line = dict[str, Any]


class Service:
    """A running authenticator for one engine. Everything except handlers that are not coroutines runs in the event loop that created it.

    :param send: called with each message for the engine, as an object.
    """

    def __init__(self, authenticator: Authenticator, send: Callable[[Line], None]) -> None:
        self._authenticator, self._send = authenticator, send
        self._loop = asyncio.get_running_loop()
        self._threads = ThreadPoolExecutor(authenticator.threads, thread_name_prefix="authenticator")
        self._conversations: dict[int, tuple[Conversation, asyncio.Task[None], str]] = {}
        self._checks: dict[int, asyncio.Task[None]] = {}
        # Answers by key, in case an answer is lost and the question is repeated; then the requests in progress.
        self._carried_out: OrderedDict[str, Answer] = OrderedDict()
        self._under_way: dict[str, asyncio.Future[Any]] = {}

    def receive(self, line: Line) -> None:
        """Takes a line from the engine."""
        method, params, id = line.get("method"), line.get("params") or {}, line.get("id")
        if method == "authenticator/describe":
            self._reply(id, result=self._authenticator.description)
        elif method == "authenticator/submit":
            self._submit(id, params)
        elif method == "authenticator/continue":
            self._continue(id, params)
        elif method == "authenticator/check":
            self._check(id, params)
        elif method == "authenticator/cancel":
            self._cancel(params["attempt"])
        elif method is not None and "id" in line:
            self._reply(id, error={"code": -32601, "message": "This authenticator has no such method."})

    async def close(self, *, is_lost: bool = False) -> None:
        """Ends conversations that wait for a user, and lets the others finish. If the engine is lost, ends these too."""
        for attempt, (conversation, _, _) in list(self._conversations.items()):
            if conversation.is_waiting or is_lost:
                self._cancel(attempt)
        tasks = [task for _, task, _ in self._conversations.values()] + list(self._checks.values())
        await asyncio.gather(*tasks, return_exceptions=True)
        self._threads.shutdown(wait=False)

    # MARK: Lines

    def _submit(self, id: Any, params: Line) -> None:
        done = self._carried_out.get(params.get("key") or "")
        handler = self._authenticator.handler(params["request"], params.get("flow"))
        if done is not None:
            self._reply(id, result=done.result)
        elif handler is None:
            self._reply(id, error={"code": 100, "message": "There is no such request.", "data": {"code": "unsupportedRequest"}})
        else:
            conversation = Conversation(self._loop, params["attempt"], self._send)
            question = Question.read(params, conversation)
            conversation.open(id, question)
            task = self._loop.create_task(self._converse(handler, conversation, question))
            self._conversations[question.attempt] = (conversation, task, question.request)

    def _continue(self, id: Any, params: Line) -> None:
        done = self._carried_out.get(params.get("key") or "")
        entry = self._conversations.get(params["attempt"])
        if done is not None:
            self._reply(id, result=done.result)
        elif entry is None:
            self._reply(id, result=rejected("challengeExpired").result)
        elif not entry[0].open(id, Question.read(params, entry[0], entry[2])):
            self._reply(id, error={"code": 2, "message": "The previous question is not answered yet."})

    def _check(self, id: Any, params: Line) -> None:
        handler = self._authenticator.checker(params["request"], params["item"])
        if handler is None:
            self._reply(id, error={"code": 100, "message": "There is no such check.", "data": {"code": "unsupportedRequest"}})
            return
        question = Question.read(params, None)
        self._checks[question.attempt] = self._loop.create_task(self._decide_check(id, handler, question))

    def _cancel(self, attempt: int) -> None:
        check = self._checks.pop(attempt, None)
        if check is not None:
            check.cancel()
        entry = self._conversations.pop(attempt, None)
        if entry is not None:
            entry[0].cancel()
            entry[1].cancel()

    def _reply(self, id: Any, **body: Any) -> None:
        self._send({"jsonrpc": "2.0", "id": id, **body})

    # MARK: Handlers

    async def _converse(self, handler: Handler, conversation: Conversation, question: Question) -> None:
        answer: Answer | Failure
        try:
            answer = await self._decide(handler, conversation, question)
        except Failure as failure:
            answer = failure
        except Cancelled:
            return
        except Exception as error:
            answer = self._internal_failure(error)
        if self._conversations.get(question.attempt, (None,))[0] is conversation:
            del self._conversations[question.attempt]
        key = conversation.answer(answer)
        if isinstance(answer, Answer):
            self._remember(key, answer)

    async def _decide(self, handler: Handler, conversation: Conversation, question: Question) -> Answer:
        if inspect.iscoroutinefunction(handler):
            return _final(await handler(question))
        said = await self._call_once(handler, question)
        if isinstance(said, Generator):
            return await self._drive(said, conversation)
        if inspect.isawaitable(said):
            return _final(await said)
        return _final(said)

    async def _call_once(self, handler: Handler, question: Question) -> Any:
        """Calls a function in a thread. A retry waits for the first attempt if that is still running."""
        key = question.key or ""
        earlier = self._under_way.get(key) if question.retry_of is not None else None
        if earlier is not None:
            outcomes: list[object] = await asyncio.gather(asyncio.shield(earlier), return_exceptions=True)
            done = outcomes[0]
            if isinstance(done, Answer):
                return done
        call = self._in_thread(handler, question)
        if key:
            self._under_way[key] = call
            call.add_done_callback(functools.partial(self._called, key, question))
        return await asyncio.shield(call)

    def _called(self, key: str, question: Question, call: asyncio.Future[Any]) -> None:
        if self._under_way.get(key) is call:
            del self._under_way[key]
        if call.cancelled() or call.exception() is not None:
            return
        said = call.result()
        if isinstance(said, Answer):
            self._remember(key, said)
        elif isinstance(said, Generator) and question.is_cancelled:
            self._close(said)

    async def _drive(self, generator: Generator[Answer | Failure, Question, Answer], conversation: Conversation) -> Answer:
        """Runs a generator, each step in a thread, so that no thread is blocked while the user is asked."""
        question: Question | None = None
        while True:
            step = self._in_thread(_next, generator, question)
            try:
                done, said = await asyncio.shield(step)
            except asyncio.CancelledError:
                step.add_done_callback(lambda _: self._close(generator))
                raise
            if done:
                return _final(said)
            try:
                question = await conversation.ask(_asked(said))
            except asyncio.CancelledError:
                self._close(generator)
                raise

    def _close(self, generator: Generator[Any, Any, Any]) -> None:
        """Lets an abandoned generator clean up."""

        def close() -> None:
            try:
                generator.close()
            except Exception as error:
                self._internal_failure(error)

        self._threads.submit(close)

    async def _decide_check(self, id: Any, handler: Handler, question: Question) -> None:
        try:
            said = handler(question) if inspect.iscoroutinefunction(handler) else await self._in_thread(handler, question)
            self._reply(id, result=_final(await said if inspect.isawaitable(said) else said).result)
        except Failure as failure:
            self._reply(id, error=failure.error)
        except Exception as error:
            self._reply(id, error=self._internal_failure(error).error)
        finally:
            self._checks.pop(question.attempt, None)

    def _in_thread(self, function: Callable[..., Any], *arguments: Any) -> asyncio.Future[Any]:
        return self._loop.run_in_executor(self._threads, functools.partial(function, *arguments))

    def _remember(self, key: str | None, answer: Answer) -> None:
        if key and answer.outcome in ("accepted", "notice"):
            self._carried_out[key] = answer
            while len(self._carried_out) > self._authenticator.remembers:
                self._carried_out.popitem(last=False)

    def _internal_failure(self, error: Exception) -> Failure:
        """Logs where a handler failed, but not the text of the error, which may quote user input."""
        frames = traceback.extract_tb(error.__traceback__)
        place = next((frame for frame in reversed(frames) if frame.filename != __file__), None)
        where = f"{place.filename}:{place.lineno} in {place.name}" if place else "the authenticator"
        print(f"{type(error).__name__} at {where}", file=sys.stderr, flush=True)
        return Failure("authenticatorFailed")


def _next(generator: Generator[Any, Any, Any], question: Question | None) -> tuple[bool, Any]:
    """Runs one step of a generator. A thread cannot raise StopIteration into a coroutine, so the end is a value."""
    try:
        return False, generator.send(question)
    except StopIteration as end:
        return True, end.value


def _final(said: object) -> Answer:
    """Checks the return value of a handler."""
    if isinstance(said, Failure):
        raise said
    if not isinstance(said, Answer):
        raise TypeError(f"a handler has to answer with an Answer, not {type(said).__name__}")
    return said


def _asked(said: object) -> Answer | Failure:
    """Checks a value that a generator yielded."""
    return said if isinstance(said, Failure) else _final(said)
