<?php

declare(strict_types=1);

namespace Stentor;

/** A whole answer: `data` is the parsed body. */
final class Response
{
    /** @param array<string, string> $headers by their names in lower case */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly mixed $data,
    ) {
    }

    public function header(string $name): ?string
    {
        return $this->headers[strtolower($name)] ?? null;
    }

    /** The seconds that `Retry-After` asks for, of seconds or of a date (RFC 9110, 10.2.3). */
    public function retryAfter(): ?float
    {
        $given = $this->header('retry-after');
        if ($given === null) {
            return null;
        }
        if (ctype_digit($given)) {
            return (float) $given;
        }
        $time = strtotime($given);
        return $time === false ? null : max(0.0, $time - microtime(true));
    }

    /** The cursor of the next page, of `Link` (RFC 8288). */
    public function next(): ?string
    {
        if (!preg_match('/<([^>]*)>\s*;[^,]*\brel="?next"?/', $this->header('link') ?? '', $match)) {
            return null;
        }
        parse_str((string) parse_url($match[1], PHP_URL_QUERY), $query);
        return isset($query['after']) ? (string) $query['after'] : null;
    }

    /** Parses a body by its type: JSON as arrays, anything else as text. */
    public static function parse(int $status, array $headers, string $body): self
    {
        $type = $headers['content-type'] ?? '';
        $isJson = str_starts_with($type, 'application/') && str_contains($type, 'json') && !str_contains($type, 'ndjson');
        $data = $body === '' ? null : ($isJson ? json_decode($body, true) ?? $body : $body);
        return new self($status, $headers, $data);
    }
}
