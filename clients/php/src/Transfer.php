<?php

declare(strict_types=1);

namespace Stentor;

/** One request under way, of which the body is read as it arrives. */
final class Transfer
{
    public int $status = 0;
    /** @var array<string, string> by their names in lower case */
    public array $headers = [];
    private string $received = '';
    private readonly \CurlMultiHandle $multi;

    /** @param list<string> $headers as they are sent: `Name: value` */
    public function __construct(
        private readonly \CurlHandle $handle,
        string $method,
        string $url,
        array $headers,
        mixed $body,
        float $silence,
    ) {
        curl_setopt_array($handle, [
            CURLOPT_URL => $url,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_CONNECTTIMEOUT_MS => (int) ($silence * 1000),
            CURLOPT_LOW_SPEED_LIMIT => 1,
            CURLOPT_LOW_SPEED_TIME => max(1, (int) ceil($silence)),
            CURLOPT_HEADERFUNCTION => $this->readHeader(...),
            CURLOPT_WRITEFUNCTION => function (\CurlHandle $_, string $bytes): int {
                $this->received .= $bytes;
                return strlen($bytes);
            },
        ]);
        if (is_resource($body)) {
            curl_setopt_array($handle, [CURLOPT_UPLOAD => true, CURLOPT_INFILE => $body]);
        } elseif ($body !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $body);
        }
        curl_setopt($handle, CURLOPT_HTTPHEADER, $headers);
        if ($method === 'HEAD') {
            curl_setopt($handle, CURLOPT_NOBODY, true);
        }
        $this->multi = curl_multi_init();
        curl_multi_add_handle($this->multi, $handle);
    }

    /**
     * The parts of the body as they arrive; `status` and `headers` are there with the first part. Throws `NetworkError`.
     *
     * @return \Generator<string>
     */
    public function parts(): \Generator
    {
        try {
            do {
                curl_multi_exec($this->multi, $running);
                if ($this->received !== '') {
                    [$part, $this->received] = [$this->received, ''];
                    yield $part;
                } elseif ($running > 0) {
                    curl_multi_select($this->multi, 1.0);
                }
            } while ($running > 0 || $this->received !== '');
            $this->requireSuccess();
        } finally {
            curl_multi_remove_handle($this->multi, $this->handle);
        }
    }

    /** The whole answer. Throws `NetworkError`. */
    public function finish(): Response
    {
        $body = implode('', iterator_to_array($this->parts(), false));
        return Response::parse($this->status, $this->headers, $body);
    }

    private function requireSuccess(): void
    {
        $done = curl_multi_info_read($this->multi);
        if ($done !== false && $done['result'] !== CURLE_OK) {
            throw new NetworkError(curl_error($this->handle) ?: (string) curl_strerror($done['result']), $done['result']);
        }
    }

    private function readHeader(\CurlHandle $_, string $line): int
    {
        if (preg_match('{^HTTP/\S+ (\d{3})}', $line, $match)) {
            $this->status = (int) $match[1];
            $this->headers = [];
        } elseif (str_contains($line, ':')) {
            [$name, $value] = explode(':', $line, 2);
            $this->headers[strtolower(trim($name))] = trim($value);
        }
        return strlen($line);
    }
}
