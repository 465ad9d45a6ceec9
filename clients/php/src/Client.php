<?php

declare(strict_types=1);

namespace Stentor;

/** The service at an address, with a method for each of its operations. */
final class Client extends Operations
{
    private const READS = ['GET', 'HEAD', 'OPTIONS'];
    /** Not done, or it is not known whether: 502 and 504 are of what stands before the service. */
    private const UNSURE = [502, 503, 504];
    /** Items of a page, unless the caller says otherwise. */
    private const PAGE = 1000;

    private readonly string $url;

    /**
     * @param ?string $key API key, sent as `X-Key`
     * @param int $retries tries after the first one; 0: none, and no `Idempotency-Key` is made
     * @param float $firstPause seconds before the second try, which double with each one
     * @param float $longestPause seconds; a longer `Retry-After` is not waited for but thrown
     * @param float $timeout seconds for which the service may be silent
     */
    public function __construct(
        string $url,
        private readonly ?string $key = null,
        private readonly int $retries = 4,
        private readonly float $firstPause = 0.25,
        private readonly float $longestPause = 60.0,
        private readonly float $timeout = 60.0,
    ) {
        if (!preg_match('{^https?://}', $url)) {
            throw new \InvalidArgumentException("\"$url\" is no address of a service: it begins with http:// or https://");
        }
        $this->url = rtrim($url, '/');
    }

    /**
     * Sends a request, and returns the parsed body of the answer: JSON as arrays, or text; null where there is none.
     *
     * A `$body` that is a string or an open file is sent as it is, with the options `contentType` and `filename`; any other as
     * JSON. Options: `query`, `headers`, `timeout` (seconds of silence), `retries`, `whole` (returns a `Response`). Throws
     * `StentorError`, and `NetworkError` after the last try.
     */
    public function request(string $method, string $path, array $pathValues = [], mixed $body = null, array $options = []): mixed
    {
        $response = $this->send($method, $this->buildUrl($path, $pathValues, $options['query'] ?? []), $body, $options);
        return ($options['whole'] ?? false) ? $response : $response->data;
    }

    /**
     * The pages of a list, one request each, read when they are needed. `query.limit`: items of a page.
     *
     * @param string $operation the name of a method: `listCategories`
     * @return \Generator<array>
     */
    public function pages(string $operation, array $arguments = [], array $options = []): \Generator
    {
        $query = ($options['query'] ?? []) + ['limit' => self::PAGE];
        do {
            $response = $this->$operation(...[...$arguments, ['query' => $query, 'whole' => true] + $options]);
            yield $response->data;
            $query['after'] = $response->next();
        } while ($query['after'] !== null);
    }

    /**
     * The items of a list, read page by page.
     *
     * @return \Generator<mixed>
     */
    public function items(string $operation, array $arguments = [], array $options = []): \Generator
    {
        foreach ($this->pages($operation, $arguments, $options) as $page) {
            foreach ($page as $item) {
                yield $item;
            }
        }
    }

    /**
     * What a path answers as lines (NDJSON), in one request, each line as it arrives: `lines('/actions/events')`.
     *
     * Throws `StentorError`, `NetworkError`, and `LogicException` for a path that answers no lines.
     *
     * @return \Generator<array>
     */
    public function lines(string $path, array $pathValues = [], array $options = []): \Generator
    {
        $options['headers'] = ['Accept' => 'application/x-ndjson'] + ($options['headers'] ?? []);
        $url = $this->buildUrl($path, $pathValues, $options['query'] ?? []);
        $transfer = $this->start('GET', $url, null, $options);
        $rest = '';
        $isChecked = false;
        foreach ($transfer->parts() as $part) {
            $rest .= $part;
            if ($transfer->status >= 400) {
                continue;
            }
            if (!$isChecked && !str_contains($transfer->headers['content-type'] ?? '', 'ndjson')) {
                throw new \LogicException('This path answers no lines: read its pages.');
            }
            $isChecked = true;
            $lines = explode("\n", $rest);
            $rest = array_pop($lines);
            foreach (array_filter($lines, fn (string $line) => trim($line) !== '') as $line) {
                yield json_decode($line, true, flags: JSON_THROW_ON_ERROR);
            }
        }
        if ($transfer->status >= 400) {
            throw StentorError::of(Response::parse($transfer->status, $transfer->headers, $rest));
        }
        if (trim($rest) !== '') {
            yield json_decode($rest, true, flags: JSON_THROW_ON_ERROR);
        }
    }

    /** Sends until the request is answered. A write is repeated only when nothing can be done twice. */
    private function send(string $method, string $url, mixed $body, array $options): Response
    {
        $retries = $options['retries'] ?? $this->retries;
        $names = array_map('strtolower', array_keys($options['headers'] ?? []));
        $hasKey = in_array('idempotency-key', $names, true);
        if ($method === 'POST' && $retries > 0 && !$hasKey) {
            $options['headers']['Idempotency-Key'] = bin2hex(random_bytes(16));
            $hasKey = true;
        }
        $isSafe = $hasKey || in_array($method, self::READS, true);
        $isRepeatable = !is_resource($body) || stream_get_meta_data($body)['seekable'];
        $start = is_resource($body) && $isRepeatable ? ftell($body) : 0;
        for ($attempt = 1; ; $attempt++) {
            $isLast = $attempt > $retries || !$isRepeatable;
            $pause = min($this->firstPause * 2 ** min($attempt - 1, 20), $this->longestPause);
            $pause = $pause / 2 + random_int(0, 1000) / 1000 * $pause / 2;
            try {
                $response = $this->start($method, $url, $body, $options)->finish();
                if ($response->status < 400) {
                    return $response;
                }
                $error = StentorError::of($response);
                $isPassing = $error->status === 429
                    || ($isSafe && in_array($error->status, self::UNSURE, true))
                    || ($attempt > 1 && $error->kind === 'idempotency-key-running');
                if ($isLast || !$isPassing || $error->retryAfter > $this->longestPause) {
                    throw $error;
                }
                $pause = max($error->retryAfter ?? 0, $pause);
            } catch (NetworkError $error) {
                if ($isLast || !$isSafe) {
                    throw $error;
                }
            }
            usleep((int) ($pause * 1_000_000));
            if (is_resource($body)) {
                fseek($body, $start);
            }
        }
    }

    private function start(string $method, string $url, mixed $body, array $options): Transfer
    {
        [$bytes, $headers] = self::encodeBody($body, $options);
        if ($this->key !== null) {
            $headers['X-Key'] = $this->key;
        }
        $headers = array_merge($headers, $options['headers'] ?? []);
        $lines = array_map(fn (string $name, string $value) => "$name: $value", array_keys($headers), $headers);
        return new Transfer(curl_init(), $method, $url, $lines, $bytes, $options['timeout'] ?? $this->timeout);
    }

    private static function encodeBody(mixed $body, array $options): array
    {
        // No answer of "100 Continue" is waited for.
        $headers = ['Expect' => ''];
        if ($body === null) {
            return [null, $headers];
        }
        if (!is_string($body) && !is_resource($body)) {
            $headers['Content-Type'] = $options['contentType'] ?? 'application/json';
            return [json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE), $headers];
        }
        $headers['Content-Type'] = $options['contentType'] ?? 'application/octet-stream';
        if (isset($options['filename'])) {
            $headers['Content-Disposition'] = "attachment; filename*=UTF-8''" . rawurlencode($options['filename']);
        }
        return [$body, $headers];
    }

    private function buildUrl(string $path, array $pathValues, array $query): string
    {
        $fill = fn (array $match): string => rawurlencode((string) $pathValues[$match[1]]);
        $url = $this->url . preg_replace_callback('/\{(\w+)\}/', $fill, $path);
        $pairs = [];
        foreach ($query as $name => $value) {
            foreach ((array) $value as $one) {
                $pairs[] = rawurlencode((string) $name) . '=' . rawurlencode(self::toText($one));
            }
        }
        return $pairs === [] ? $url : $url . '?' . implode('&', $pairs);
    }

    private static function toText(mixed $value): string
    {
        return is_bool($value) ? ($value ? 'true' : 'false') : (string) $value;
    }
}
