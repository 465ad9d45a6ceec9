<?php

declare(strict_types=1);

namespace Stentor;

/** A verified delivery of a webhook. `id` is the same on every try: what was done for one is not done again. */
final class Webhook
{
    private const PREFIX = 'whsec_';
    private const VERSION = 'v1,';

    private function __construct(
        public readonly string $id,
        public readonly string $type,
        public readonly string $timestamp,
        public readonly mixed $data,
    ) {
    }

    /**
     * Verifies the signature of a webhook (Standard Webhooks 1.0) in constant time, and returns what it delivers.
     *
     * @param array<string, string> $headers of the request: `getallheaders()`
     * @param string $body as it came, not parsed: `file_get_contents('php://input')`
     * @param string|list<string> $secret `whsec_…`, or several during a rotation
     * @param int $tolerance how far the time of the request may be from now, in seconds
     * @throws WebhookError for a request that is not from the webhook, or too old; answer it with 401
     */
    public static function verify(array $headers, string $body, string|array $secret, int $tolerance = 300): self
    {
        $given = array_change_key_case($headers);
        $id = self::header($given, 'webhook-id');
        $time = self::header($given, 'webhook-timestamp');
        $signatures = explode(' ', self::header($given, 'webhook-signature'));
        if (!ctype_digit($time) || abs(time() - (int) $time) > $tolerance) {
            throw new WebhookError('The time of the request is too far from now.');
        }
        $isSigned = false;
        foreach ((array) $secret as $one) {
            $expected = self::VERSION . base64_encode(hash_hmac('sha256', "$id.$time.$body", self::key($one), true));
            foreach ($signatures as $signature) {
                $isSigned = hash_equals($expected, $signature) || $isSigned;
            }
        }
        if (!$isSigned) {
            throw new WebhookError('No signature of the request is of the secret.');
        }
        $delivery = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
        return new self($id, $delivery['type'] ?? '', $delivery['timestamp'] ?? '', $delivery['data'] ?? null);
    }

    private static function header(array $headers, string $name): string
    {
        $value = $headers[$name] ?? '';
        return $value !== '' ? $value : throw new WebhookError("The request has no header $name.");
    }

    private static function key(string $secret): string
    {
        $key = str_starts_with($secret, self::PREFIX) ? base64_decode(substr($secret, strlen(self::PREFIX)), true) : false;
        return $key ?: throw new \InvalidArgumentException('The secret of a webhook is "whsec_" and base64.');
    }
}
