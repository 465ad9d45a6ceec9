import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, suite, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { KEY, prepareService } from '../../support/processes/process.ts'

const run = promisify(execFile)
const CLIENTS = join(import.meta.dirname, '../../../clients')
const SECRET = `whsec_${Buffer.from('a secret of the tests').toString('base64')}`

const directory = await mkdtemp(join(tmpdir(), 'stentor-clients-'))
after(() => rm(directory, { recursive: true, force: true }))

/** A client without dependencies in a language that may not be installed here. */
interface ThinClient {
  language: string
  folder: string
  command: string
  /** Words that the language must accept for the client to run. */
  probe: string[]
  extension: string
  /** Lays out the client in a folder as a program finds it when it is installed. */
  install(folder: string): Promise<void>
  /** Programs that print what the tests compare. */
  read: string
  write: string
  put: string
  verify: string
  silence: string
}

const thinClients: ThinClient[] = [
  {
    language: 'Python',
    folder: 'python',
    command: 'python3',
    probe: ['-c', 'import ssl, sys; sys.exit(sys.version_info < (3, 8))'],
    extension: 'py',
    install: (folder) => cp(join(CLIENTS, 'python/stentor'), join(folder, 'stentor'), { recursive: true }),
    read: `
import os
from stentor import Stentor
stentor = Stentor(os.environ['STENTOR_URL'], 'any', first_pause=0.001)
print(stentor.list_categories(query={'limit': 2, 'after': ['a,b', 'c&d']}))
`,
    write: `
import os
from stentor import Stentor, StentorError
stentor = Stentor(os.environ['STENTOR_URL'], 'any', first_pause=0.001, retries=2)
try:
    print(stentor.create_target({'Email': 'Zoé'}))
except StentorError as error:
    print(error.status, error.kind, error.detail)
`,
    put: `
import os
from stentor import Stentor, StentorError
stentor = Stentor(os.environ['STENTOR_URL'] + '/', 'any', first_pause=0.001)
try:
    stentor.update_target('a/b', {})
except StentorError as error:
    print(error.status, error.type)
`,
    verify: `
import json, sys
from stentor import WebhookError, verify_webhook
given = json.load(sys.stdin)
for headers, body in given['requests']:
    try:
        delivery = verify_webhook(headers, body.encode(), ['whsec_b3RoZXI=', given['secret']])
        print(delivery.id, delivery.type, delivery.data['n'])
    except WebhookError as error:
        print(error)
`,
    silence: `
from stentor import Stentor
try:
    Stentor('http://127.0.0.1:1', retries=0).list_categories()
except OSError:
    print('no answer')
`,
  },
  {
    language: 'PHP',
    folder: 'php',
    command: 'php',
    probe: ['-r', 'exit(PHP_VERSION_ID < 80100 || !extension_loaded("curl") ? 1 : 0);'],
    extension: 'php',
    async install(folder) {
      await mkdir(join(folder, 'vendor'))
      await cp(join(CLIENTS, 'php/src'), join(folder, 'vendor/stentor'), { recursive: true })
      const load = `spl_autoload_register(fn ($name) => require __DIR__ . '/stentor/' . substr($name, 8) . '.php');`
      await writeFile(join(folder, 'vendor/autoload.php'), `<?php ${load}`)
    },
    read: `<?php require 'vendor/autoload.php';
$stentor = new Stentor\\Client(getenv('STENTOR_URL'), 'any', firstPause: 0.001);
echo json_encode($stentor->listCategories(['query' => ['limit' => 2, 'after' => ['a,b', 'c&d']]])), "\\n";
`,
    write: `<?php require 'vendor/autoload.php';
$stentor = new Stentor\\Client(getenv('STENTOR_URL'), 'any', firstPause: 0.001, retries: 2);
try {
    echo $stentor->createTarget(['Email' => 'Zoé']), "\\n";
} catch (Stentor\\StentorError $error) {
    echo "$error->status $error->kind $error->detail\\n";
}
`,
    put: `<?php require 'vendor/autoload.php';
$stentor = new Stentor\\Client(getenv('STENTOR_URL') . '/', 'any', firstPause: 0.001);
try {
    $stentor->updateTarget('a/b', new stdClass());
} catch (Stentor\\StentorError $error) {
    echo "$error->status $error->type\\n";
}
`,
    verify: `<?php require 'vendor/autoload.php';
$given = json_decode(stream_get_contents(STDIN), true);
foreach ($given['requests'] as [$headers, $body]) {
    try {
        $delivery = Stentor\\Webhook::verify($headers, $body, ['whsec_b3RoZXI=', $given['secret']]);
        echo "$delivery->id $delivery->type {$delivery->data['n']}\\n";
    } catch (Stentor\\WebhookError $error) {
        echo $error->getMessage(), "\\n";
    }
}
`,
    silence: `<?php require 'vendor/autoload.php';
try {
    (new Stentor\\Client('http://127.0.0.1:1', retries: 0))->listCategories();
} catch (Stentor\\NetworkError) {
    echo "no answer\\n";
}
`,
  },
]

interface Asked {
  line: string
  headers: IncomingHttpHeaders
  body: string
}

type Answer = [status: number, body: string, headers?: Record<string, string>]

/** A server on loopback that gives these answers in turn, the last one for good, and notes what it is asked. */
async function startPeer(t: TestContext, answers: readonly Answer[]): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const [status, answer, headers = {}] = answers[asked.length] ?? answers.at(-1)!
    asked.push({ line: `${request.method} ${request.url}`, headers: request.headers, body })
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** The programs of a README, each with what it says they print. */
async function listExamples(folder: string): Promise<{ code: string; printed: string }[]> {
  const readme = await readFile(join(CLIENTS, folder, 'README.md'), 'utf8')
  const blocks = readme.matchAll(/```(?:python|php)\n(.*?)```\n\n```text\n(.*?)```/gs)
  return [...blocks].map(([, code = '', printed = '']) => ({ code, printed }))
}

function sign(id: string, seconds: number, body: string): Record<string, string> {
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'Webhook-Id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,bm8= v1,${signature}` }
}

for (const client of thinClients) {
  const { language, folder, command, probe, extension, install } = client
  const skip = spawnSync(command, probe).status !== 0 && `${language} is not installed here: npm run test:setup`
  suite(`${language} client`, { skip }, async () => {
    const user = join(directory, folder)
    await mkdir(user)
    await install(user)

    async function runProgram(code: string, url = '', input = ''): Promise<string> {
      const file = join(user, `program-${randomUUID()}.${extension}`)
      await writeFile(file, code)
      const env = {
        PATH: process.env['PATH'],
        PYTHONPATH: user,
        PYTHONDONTWRITEBYTECODE: '1',
        STENTOR_URL: url,
        STENTOR_KEY: KEY,
      }
      const running = run(command, [file], { cwd: user, env })
      running.child.stdin?.end(input)
      return (await running).stdout
    }

    test('runs the examples in its documentation against a service', async (t) => {
      const service = await prepareService(t)
      await service.start()
      await writeFile(join(user, 'people.csv'), 'Email\nann1@shop.example\nben@shop.example\n')
      await writeFile(join(user, 'customers.csv'), 'Email\ncy@shop.example\ndi@shop.example\n')
      const examples = await listExamples(folder)
      assert.ok(examples.length > 1)
      for (const { code, printed } of examples) assert.equal(await runProgram(code, service.url), printed)
    })

    test('retries a read when the service is busy, unavailable or does not answer properly', async (t) => {
      const { url, asked } = await startPeer(t, [
        [429, '{}', { 'retry-after': '0' }],
        [502, '<html>'],
        [200, '[]'],
      ])
      assert.equal(await runProgram(client.read, url), '[]\n')
      assert.deepEqual(
        asked.map(({ line }) => line),
        Array(3).fill('GET /categories?limit=2&after=a%2Cb&after=c%26d'),
      )
      assert.equal(asked[0]!.headers['x-key'], 'any')
    })

    test('repeats a POST with one Idempotency-Key, and reports the problem of the last try', async (t) => {
      const problem = {
        type: 'urn:stentor:problem:unavailable',
        title: 'Unavailable',
        status: 503,
        detail: 'Try later.',
      }
      const headers = { 'content-type': 'application/problem+json' }
      const { url, asked } = await startPeer(t, [[503, JSON.stringify(problem), headers]])
      assert.equal(await runProgram(client.write, url), '503 unavailable Try later.\n')
      assert.equal(asked.length, 3)
      assert.equal(new Set(asked.map((request) => request.headers['idempotency-key'])).size, 1)
      assert.ok(asked[0]!.headers['idempotency-key'])
      assert.deepEqual(JSON.parse(asked[2]!.body), { Email: 'Zoé' })
    })

    test('does not repeat a PUT whose outcome is unknown, and encodes values of the path', async (t) => {
      const { url, asked } = await startPeer(t, [[503, 'The proxy is tired.', { 'content-type': 'text/plain' }]])
      assert.equal(await runProgram(client.put, url), '503 about:blank\n')
      assert.deepEqual(
        asked.map(({ line }) => line),
        ['PUT /targets/a%2Fb'],
      )
    })

    test('verifies webhooks by their signature and time', async () => {
      const [body, now] = ['{"type":"target.created","timestamp":"t","data":{"n":7}}', Math.floor(Date.now() / 1000)]
      const { 'webhook-signature': _, ...unsigned } = sign('m1', now, body)
      const requests = [
        [sign('m1', now, body), body],
        [sign('m1', now, body), body.replace('7', '8')],
        [sign('m1', now - 3600, body), body],
        [unsigned, body],
      ]
      assert.deepEqual(
        (await runProgram(client.verify, '', JSON.stringify({ secret: SECRET, requests }))).trim().split('\n'),
        [
          'm1 target.created 7',
          'No signature of the request is of the secret.',
          'The time of the request is too far from now.',
          'The request has no header webhook-signature.',
        ],
      )
    })

    test('reports a service that does not answer', async () => {
      assert.equal(await runProgram(client.silence), 'no answer\n')
    })
  })
}
