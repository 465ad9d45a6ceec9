import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseUserAgent } from './device.ts'

const agents: [agent: string | null, type: string, os: string | null, client: string | null][] = [
  [null, 'unknown', null, null],
  ['Mozilla/5.0', 'unknown', null, null],
  ['curl/8.5', 'server', null, 'curl'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    'phone',
    'iOS 19.1',
    'Apple Mail',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'phone',
    'iOS 18.0',
    'Safari',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    'tablet',
    'iPadOS 17.5',
    'Apple Mail',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'phone',
    'Android 16',
    'Chrome',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-X810) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Safari/537.36',
    'tablet',
    'Android 14',
    'Samsung Internet',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'desktop',
    'Windows 10',
    'Firefox',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'desktop',
    'Windows 10',
    'Edge',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    'desktop',
    'macOS 10.15',
    'Apple Mail',
  ],
  [
    'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Microsoft Outlook 16.0.5266)',
    'desktop',
    'Windows 10',
    'Outlook',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.2.0', 'desktop', 'Linux', 'Thunderbird'],
  [
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    'server',
    'Windows',
    'Gmail',
  ],
]

for (const [agent, type, os, client] of agents) {
  test(`reads the device of ${agent}`, () => assert.deepEqual(parseUserAgent(agent), { type, os, client }))
}
