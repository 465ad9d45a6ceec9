import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { eventually } from '../../support/wait.ts'

/** A browser as readers have one, driven over the Chrome DevTools Protocol. */
export interface Browser {
  open(url: string, view: View): Promise<BrowserPage>
  close(): Promise<void>
}

export interface View {
  width: number
  height: number
  dark?: boolean
  /** Whether the page's own scripts run; they do by default. */
  scripts?: boolean
}

export interface BrowserPage {
  /** The value of an expression within the page. */
  evaluate<T>(expression: string): Promise<T>
  /** Presses a key; `Enter` waits for the page that it leads to. */
  press(key: 'Tab' | 'Enter'): Promise<void>
  /** Every address that was asked for. */
  readonly requests: readonly string[]
  /** What the browser complained of. */
  readonly complaints: readonly string[]
  screenshot(file: string): Promise<void>
}

/** The headless shell first: it takes a sixth less processor time than the whole browser. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
const OPTIONS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--hide-scrollbars',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-port=0',
]
const KEYS = {
  Tab: { code: 'Tab', windowsVirtualKeyCode: 9 },
  Enter: { code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
}
const PATIENCE_MS = 20_000

/** Where a Chromium is installed; undefined when none is. */
export function findBrowser(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(existsSync)
}

/** Why tests that need a browser are skipped; undefined where one is installed. */
export function browserIsMissing(): string | undefined {
  return findBrowser() === undefined ? 'Chromium is not installed: npm run test:setup' : undefined
}

/** Starts a browser with an empty profile. */
export async function startBrowser(executable: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'stentor-browser-'))
  // The program may be a script around the browser: both end as one group.
  const options = { stdio: 'ignore', detached: true } as const
  const child = spawn(executable, [...OPTIONS, `--user-data-dir=${profile}`, 'about:blank'], options)
  const port = await debuggingPort(profile, child)
  const sockets: WebSocket[] = []
  return {
    async open(url, view) {
      const answer = await fetch(`http://127.0.0.1:${port}/json/new?about:blank`, { method: 'PUT' })
      const { webSocketDebuggerUrl } = (await answer.json()) as { webSocketDebuggerUrl: string }
      const socket = new WebSocket(webSocketDebuggerUrl)
      sockets.push(socket)
      await once(socket, 'open')
      return openPage(socket, url, view)
    },
    async close() {
      for (const socket of sockets) socket.close()
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid)
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}

/** The port that the browser writes into its profile once it listens. */
async function debuggingPort(profile: string, child: ChildProcess): Promise<number> {
  const port = await eventually(async () => {
    if (child.exitCode !== null) return 0
    const text = await readFile(join(profile, 'DevToolsActivePort'), 'utf8')
    return Number(text.split('\n')[0]) || undefined
  }, PATIENCE_MS)
  if (port === 0) throw new Error('the browser does not start')
  return port
}

interface Reply {
  id?: number
  method?: string
  params?: { request?: { url: string }; entry?: { text: string } }
  result?: Record<string, unknown>
  error?: { message: string }
}

type Call = (method: string, params?: object) => Promise<Record<string, unknown>>

async function openPage(
  socket: WebSocket,
  url: string,
  { width, height, dark = false, scripts = true }: View,
): Promise<BrowserPage> {
  const [requests, complaints]: [string[], string[]] = [[], []]
  const answers = new Map<number, (reply: Reply) => void>()
  const loads: (() => void)[] = []
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const reply: Reply = JSON.parse(String(data))
    if (reply.id !== undefined) answers.get(reply.id)?.(reply)
    if (reply.method === 'Network.requestWillBeSent') requests.push(reply.params?.request?.url ?? '')
    if (reply.method === 'Log.entryAdded') complaints.push(reply.params?.entry?.text ?? '')
    if (reply.method === 'Page.loadEventFired') for (const loaded of loads.splice(0)) loaded()
  })
  const call: Call = (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = ++last
      answers.set(id, ({ result, error }) =>
        error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result ?? {}),
      )
      socket.send(JSON.stringify({ id, method, params }))
    })
  const loading = async (act: () => Promise<unknown>): Promise<void> => {
    const loaded = new Promise<void>((resolve) => loads.push(resolve))
    await act()
    await loaded
  }
  for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await call(`${domain}.enable`)
  await call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 })
  await call('Emulation.setEmulatedMedia', {
    features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }],
  })
  await call('Emulation.setScriptExecutionDisabled', { value: !scripts })
  await loading(() => call('Page.navigate', { url }))
  return {
    requests,
    complaints,
    async evaluate<T>(expression: string) {
      const { result } = await call('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })
      return (result as { value: T }).value
    },
    async press(key) {
      const act = () => call('Input.dispatchKeyEvent', { type: 'keyDown', key, ...KEYS[key] })
      await (key === 'Enter' ? loading(act) : act())
      if (key !== 'Enter') await call('Input.dispatchKeyEvent', { type: 'keyUp', key, ...KEYS[key] })
    },
    async screenshot(file) {
      const { data } = await call('Page.captureScreenshot', { format: 'png' })
      await writeFile(file, Buffer.from(String(data), 'base64'))
    },
  }
}
