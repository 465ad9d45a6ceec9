<?php

declare(strict_types=1);

namespace Stentor;

/**
 * What the service refused, and why (RFC 9457). Failures of the network are thrown as `NetworkError`.
 */
final class StentorError extends \RuntimeException
{
    private const PREFIX = 'urn:stentor:problem:';

    /** The HTTP status. */
    public readonly int $status;
    /** A URI, the same for every problem of a kind. */
    public readonly string $type;
    /** The last part of the type: `unicity-taken`. */
    public readonly string $kind;
    public readonly string $title;
    /** What to change. */
    public readonly string $detail;
    /** Faults of the body: `pointer` and `detail` of each. */
    public readonly array $errors;
    /** The ID of the request, which the log of the service has too. */
    public readonly ?string $instance;

    /**
     * @param array $problem all members of the problem
     * @param ?float $retryAfter seconds after which the service may be asked again, when it says so
     */
    public function __construct(public readonly array $problem, public readonly ?float $retryAfter = null)
    {
        $this->status = (int) $problem['status'];
        $this->type = (string) $problem['type'];
        $this->kind = str_starts_with($this->type, self::PREFIX) ? substr($this->type, strlen(self::PREFIX)) : $this->type;
        $this->title = (string) ($problem['title'] ?? '');
        $this->detail = (string) ($problem['detail'] ?? '');
        $this->errors = $problem['errors'] ?? [];
        $this->instance = $problem['instance'] ?? null;
        parent::__construct("$this->status $this->title: $this->detail", $this->status);
    }

    /** The error of an answer. What is no problem, such as the page of a proxy, becomes one of type `about:blank`. */
    public static function of(Response $response): self
    {
        $body = $response->data;
        $retryAfter = $response->retryAfter();
        if (is_array($body) && isset($body['type'], $body['status'])) {
            return new self($body, $retryAfter);
        }
        $title = 'Refused';
        $detail = is_string($body) && $body !== '' ? substr($body, 0, 200) : $title;
        $problem = ['type' => 'about:blank', 'title' => $title, 'status' => $response->status, 'detail' => $detail];
        $instance = $response->header('x-request-id');
        return new self($instance === null ? $problem : $problem + ['instance' => $instance], $retryAfter);
    }
}
