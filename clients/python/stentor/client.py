"""The client: requests, retries, lists, lines, files and the stream of events."""

import json
import random
import re
from collections import OrderedDict
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from time import monotonic, sleep, time
from typing import Any, Callable, Iterator, Mapping, Optional
from urllib.error import HTTPError
from urllib.parse import parse_qs, quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener
from uuid import uuid4

from .errors import StentorError, build_error
from .operations import Operations

_READS = ('GET', 'HEAD', 'OPTIONS')
#: Not done, or it is not known whether: 502 and 504 are of what stands before the service.
_UNSURE = (502, 503, 504)
#: Items of a page, unless the caller says otherwise.
_PAGE = 1000
#: The service says something every 15 seconds; a stream that is silent for this long is dead.
_SILENCE = 45.0
#: After so many seconds without an event, nothing older will come: the place moves on, since one of yesterday is refused.
_QUIET = 3600.0
#: Events of which the IDs are remembered, as a stream that is opened again repeats some.
_REMEMBERED = 10_000


@dataclass
class Response:
    """A whole answer: `data` is the parsed body, or the connection itself with `stream=True`."""

    status: int
    headers: Mapping[str, str]
    data: Any


class _NoRedirects(HTTPRedirectHandler):
    """Leaves redirects to the caller: a key is not sent to another host."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Stentor(Operations):
    """The service at `url`, with a method for each of its operations.

    `key` is an API key, sent as `X-Key`. `retries` are the tries after the first one; 0: none, and no `Idempotency-Key` is
    made. `first_pause` and `longest_pause` are in seconds; a longer `Retry-After` is not waited for but raised. `timeout` is how
    long the service may be silent, in seconds.
    """

    def __init__(
        self,
        url: str,
        key: Optional[str] = None,
        *,
        retries: int = 4,
        first_pause: float = 0.25,
        longest_pause: float = 60.0,
        timeout: float = 60.0,
    ) -> None:
        if urlsplit(url).scheme not in ('http', 'https'):
            raise ValueError(f'"{url}" is no address of a service: it begins with http:// or https://')
        self._url = url.rstrip('/')
        self._key = key
        self._retries = retries
        self._first_pause = first_pause
        self._longest_pause = longest_pause
        self._timeout = timeout
        self._opener = build_opener(_NoRedirects())

    def request(
        self,
        method: str,
        path: str,
        path_values: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        *,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        content_type: Optional[str] = None,
        filename: Optional[str] = None,
        timeout: Optional[float] = None,
        whole: bool = False,
        stream: bool = False,
        retries: Optional[int] = None,
    ) -> Any:
        """Sends a request, and returns the parsed body of the answer: JSON, text, or bytes; None where there is none.

        A `body` that is bytes, a string or an open file is sent as it is, with `content_type` and `filename`; any other as JSON.
        `whole` returns a `Response`. Raises `StentorError`, and `OSError` for failures of the network after the last try.
        """
        url = self._url + re.sub(r'\{(\w+)\}', lambda match: quote(str((path_values or {})[match[1]]), safe=''), path)
        if query:
            url += '?' + urlencode([pair for name, value in query.items() for pair in _list_pairs(name, value)])
        data, given = _encode_body(body, content_type, filename)
        if self._key is not None:
            given['X-Key'] = self._key
        given.update(headers or {})
        tries = self._retries if retries is None else retries
        response = self._send(method, url, data, given, self._timeout if timeout is None else timeout, tries)
        if stream:
            return Response(response.status, response.headers, response)
        with response:
            answer = Response(response.status, response.headers, _parse_body(response.headers, response.read()))
        return answer if whole else answer.data

    def _send(self, method: str, url: str, data: Any, headers: dict, timeout: float, retries: int) -> Any:
        """Sends until the request is answered. A write is repeated only when nothing can be done twice."""
        has_key = any(name.lower() == 'idempotency-key' for name in headers)
        if method == 'POST' and retries > 0 and not has_key:
            headers['Idempotency-Key'] = str(uuid4())
            has_key = True
        is_safe = method in _READS or has_key
        is_file = hasattr(data, 'read')
        start = data.tell() if is_file and data.seekable() else None
        is_repeatable = not is_file or start is not None
        attempt = 1
        while True:
            is_last = attempt > retries or not is_repeatable
            pause = self._longest_pause if attempt > 20 else min(self._first_pause * 2 ** (attempt - 1), self._longest_pause)
            pause = pause / 2 + random.random() * pause / 2
            try:
                return self._opener.open(Request(url, data, headers, method=method), timeout=timeout)
            except HTTPError as refusal:
                with refusal:
                    body = _parse_body(refusal.headers, refusal.read())
                error = build_error(refusal.code, refusal.reason, refusal.headers, body)
                is_running = attempt > 1 and error.kind == 'idempotency-key-running'
                is_passing = error.status == 429 or (is_safe and error.status in _UNSURE) or is_running
                asked = error.retry_after
                if is_last or not is_passing or (asked or 0) > self._longest_pause:
                    raise error from None
                pause = max(asked or 0, pause)
            except (OSError, HTTPException):
                if is_last or not is_safe:
                    raise
            sleep(pause)
            if is_file:
                data.seek(start)
            attempt += 1

    def pages(self, operation: Callable[..., Any], *arguments: Any, **options: Any) -> Iterator[list]:
        """The pages of a list, one request each, read when they are needed. `query={'limit': …}`: items of a page."""
        query = {'limit': _PAGE, **(options.pop('query', None) or {})}
        while True:
            response = operation(*arguments, query=query, whole=True, **options)
            yield response.data
            after = _find_next(response.headers.get('Link'))
            if after is None:
                return
            query = {**query, 'after': after}

    def items(self, operation: Callable[..., Any], *arguments: Any, **options: Any) -> Iterator[Any]:
        """The items of a list, read page by page."""
        for page in self.pages(operation, *arguments, **options):
            yield from page

    def lines(self, operation: Callable[..., Any], *arguments: Any, **options: Any) -> Iterator[Any]:
        """What an operation answers as lines (NDJSON), in one request, each line as it arrives.

        Raises TypeError for an operation that answers no lines.
        """
        headers = {**(options.pop('headers', None) or {}), 'Accept': 'application/x-ndjson'}
        response = operation(*arguments, headers=headers, stream=True, **options)
        with response.data as connection:
            if 'ndjson' not in response.headers.get('Content-Type', ''):
                raise TypeError('This operation answers no lines: read its pages.')
            for line in connection:
                if line.strip():
                    yield json.loads(line)

    def events(self, *, last_event_id: Optional[str] = None, **query: Any) -> Iterator[dict]:
        """Events as they are published, each once, for as long as the caller reads: `{'id', 'type', 'data'}`.

        `query`: `events`, `channels` and others, as lists. A lost connection is opened again, and goes on after the last event.
        Raises `StentorError` when the stream is refused for good, such as 410 `stream-too-old` after 24 hours away.
        """
        known: OrderedDict = OrderedDict()
        failures = 0
        while True:
            headers = {'Accept': 'text/event-stream'}
            if last_event_id is not None:
                headers['Last-Event-ID'] = last_event_id
            try:
                opened = self.request(
                    'GET', '/events/stream', query=query, headers=headers, stream=True, timeout=_SILENCE, retries=0
                )
                with opened.data as connection:
                    failures = 0
                    # A stream that begins now resumes from here, though no event has come: by the clock of the service.
                    offset = _read_date(opened.headers) - monotonic()
                    last_event_id = last_event_id or _build_id(offset + monotonic())
                    for event in _read_events(connection):
                        if event is None:
                            last_event_id = max(last_event_id, _build_id(offset + monotonic() - _QUIET))
                            continue
                        last_event_id = event['id']
                        if last_event_id in known:
                            continue
                        known[last_event_id] = True
                        if len(known) > _REMEMBERED:
                            known.popitem(last=False)
                        yield event
            except StentorError as error:
                if error.status not in (429, 500, *_UNSURE):
                    raise
            except (OSError, HTTPException):
                pass
            failures += 1
            sleep(min(30.0, 0.5 * 2 ** min(failures, 6)))


def _list_pairs(name: str, value: Any) -> list:
    """The pairs of a query parameter: none for None, several for a list."""
    if isinstance(value, (list, tuple)):
        return [pair for one in value for pair in _list_pairs(name, one)]
    if isinstance(value, bool):
        return [(name, 'true' if value else 'false')]
    return [] if value is None else [(name, str(value))]


def _encode_body(body: Any, content_type: Optional[str], filename: Optional[str]) -> tuple:
    if body is None:
        return None, {}
    if not isinstance(body, (bytes, str)) and not hasattr(body, 'read'):
        return json.dumps(body).encode(), {'Content-Type': content_type or 'application/json'}
    if isinstance(body, str):
        body = body.encode()
    headers = {'Content-Type': content_type or 'application/octet-stream'}
    if filename is not None:
        headers['Content-Disposition'] = f"attachment; filename*=UTF-8''{quote(filename, safe='')}"
    return body, headers


def _parse_body(headers: Mapping[str, str], body: bytes) -> Any:
    content_type = headers.get('Content-Type') or ''
    if not body:
        return None
    if content_type.startswith('application/') and 'json' in content_type and 'ndjson' not in content_type:
        try:
            return json.loads(body)
        except ValueError:
            return body.decode(errors='replace')
    return body.decode(errors='replace') if content_type.startswith('text/') or 'ndjson' in content_type else body


def _find_next(link: Optional[str]) -> Optional[str]:
    """The cursor of the next page, of the `Link` of this one (RFC 8288)."""
    for part in (link or '').split(','):
        target, _, parameters = part.strip().partition('>')
        if 'rel="next"' in parameters or 'rel=next' in parameters:
            return parse_qs(urlsplit(target.lstrip('<')).query).get('after', [None])[0]
    return None


def _read_date(headers: Mapping[str, str]) -> float:
    """The time of the service when it answered, in seconds since 1970."""
    given = headers.get('Date')
    return parsedate_to_datetime(given).timestamp() if given else time()


def _build_id(seconds: float) -> str:
    """An ID (UUID of version 7) that stands for a moment."""
    digits = format(int(seconds * 1000), '012x')
    return f'{digits[:8]}-{digits[8:]}-7000-8000-000000000000'


def _read_events(connection: Any) -> Iterator[Optional[dict]]:
    """The events of Server-Sent Events (HTML standard, 9.2.6); None for each comment."""
    fields: dict = {}
    for line in connection:
        text = line.decode().rstrip('\r\n')
        if text:
            name, _, value = text.partition(':')
            if not name:
                yield None
            value = value[1:] if value.startswith(' ') else value
            if name:
                fields[name] = f'{fields[name]}\n{value}' if name == 'data' and name in fields else value
            continue
        if 'id' in fields and 'data' in fields:
            yield {'id': fields['id'], 'type': fields.get('event', 'message'), 'data': json.loads(fields['data'])}
        fields = {}
