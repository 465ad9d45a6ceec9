import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceConfig } from '../../config.ts'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import { findNearestWord } from '../../lib/text/nearest.ts'
import { formatCount, withArticle } from '../../lib/text/nouns.ts'
import { settingDefinitions } from '../../settings.ts'
import { type CliCommand, type CommandInvocation, requireOptionValue, UsageError } from '../usage.ts'
import { type WaitableKind, waitableStates } from '../wait-states.ts'

const DEFAULT_TIMEOUT = '10m'
const MAX_TIMEOUT_COUNT = 999_999
const TIMEOUT_UNITS: Readonly<Record<string, { noun: string; ms: number }>> = {
  s: { noun: 'second', ms: 1000 },
  m: { noun: 'minute', ms: 60_000 },
  h: { noun: 'hour', ms: 3_600_000 },
}
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [100, 1000]
const [SHORTEST_REQUEST_MS, LONGEST_REQUEST_MS] = [1000, 30_000]

interface ServiceAccess {
  url: string
  key: string | undefined
}

/** A response of the service. Status 0: nothing responds. */
interface ServiceResponse {
  status: number
  text: string
}

/** State in a response, compared with the state waited for. */
interface Observation {
  isReached: boolean
  /** The state does not change without another request. */
  isFinal: boolean
  state: string
  /** Why it is final, in sentences. */
  reason?: string | undefined
}

interface ObservedResponse {
  observation: Observation
  response: ServiceResponse
}

interface WaitTarget {
  path: string
  /** True if a failing service is a state too, and not a reason to ask again. */
  observesFaults: boolean
  observe(response: ServiceResponse): Observation
  /** Sentence for a final state that is not the one waited for. */
  describeEnd(state: string): string
  /** Sentence for a timeout. Undefined: the state is not known. */
  describeTimeout(state: string | undefined, timeoutText: string): string
  /** Text for standard output. */
  print(observed: ObservedResponse, isJson: boolean): string
}

interface WaitTimeout {
  ms: number
  /** Such as `10 minutes`. */
  text: string
}

/** The end of a wait: `failure` is undefined if the state was reached. */
interface WaitResult {
  observed: ObservedResponse | undefined
  failure?: string
}

async function requestService({ url, key }: ServiceAccess, path: string, limitMs: number): Promise<ServiceResponse> {
  try {
    const response = await fetch(url + path, {
      headers: { accept: 'application/json', ...(key !== undefined && { 'x-key': key }) },
      signal: AbortSignal.timeout(limitMs),
    })
    return { status: response.status, text: await response.text() }
  } catch {
    return { status: 0, text: '' }
  }
}

function parseBody({ text }: ServiceResponse): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The sentence of a problem document, or one about the status. */
function describeProblem(response: ServiceResponse): string {
  if (response.status === 0) return 'The service does not respond.'
  const { detail } = (parseBody(response) ?? {}) as { detail?: string }
  return detail ?? `The service responded with status ${response.status}.`
}

/** A fault that may pass by itself. */
const isTransient = ({ status }: ServiceResponse): boolean => status === 0 || status === 429 || status >= 500

/** Throws OperatorError if the request cannot succeed when it is repeated. */
function assertAccepted({ key }: ServiceAccess, response: ServiceResponse): void {
  const { status } = response
  if (status === 401)
    throw new OperatorError(
      key === undefined
        ? 'STENTOR_KEY or --key is required: an API key of the account. "stentor keys create" creates one.'
        : 'The key is unknown, revoked or expired. Set STENTOR_KEY or --key.',
    )
  if (!isTransient(response) && (status < 200 || status > 299)) throw new OperatorError(describeProblem(response))
}

type StateReader = (body: unknown, wanted: string) => Observation

/** Reads states of which `finals` do not change. */
function observeAmong(state: string, wanted: string, finals: readonly string[], reason?: string | null): Observation {
  return {
    state,
    isReached: state === wanted,
    isFinal: finals.includes(state),
    reason: reason ? `Reason: ${reason}` : undefined,
  }
}

interface ActionBody {
  type: string
  state: number
  updateDate?: string
  informations: {
    paused: boolean
    lastValidation?: {
      phase: 'test' | 'production'
      result: string
      endedAt: string | null
      errors: readonly { message: string }[]
    } | null
  }
}

const ACTION_STATES: Readonly<Record<number, string>> = {
  10: 'incomplete',
  20: 'complete',
  30: 'testing',
  35: 'testing',
  36: 'testing',
  38: 'tested',
  40: 'validating',
  50: 'validated',
  55: 'sending',
  60: 'sent',
}
const actionOrder = [...new Set(Object.values(ACTION_STATES))]
const getActionRank = (state: string): number => actionOrder.indexOf(state === 'paused' ? 'sending' : state)

/** Why an action does not reach a state without another request; empty: no reason is known. Undefined: it may reach it. */
function findActionEnd({ type, updateDate = '', informations }: ActionBody, state: string, wanted: string) {
  if (type.endsWith('Message') && getActionRank(wanted) > getActionRank('validated'))
    return 'It is a message on demand, and "validated" is its last state.'
  if (state === 'sent') return ''
  const { lastValidation } = informations
  const hasFailed = lastValidation?.result === 'failed' || lastValidation?.result === 'repair'
  // A change after the failure may have repaired it.
  if (!hasFailed || getActionRank(state) > getActionRank('complete') || (lastValidation.endedAt ?? '') < updateDate)
    return undefined
  const [firstError] = lastValidation.errors
  const phase = lastValidation.phase === 'test' ? 'test' : 'validation'
  return `The ${phase} failed${firstError ? `: ${firstError.message}` : '.'}`
}

const observeAction: StateReader = (body, wanted) => {
  const action = body as ActionBody
  const isPaused = action.state === 55 && action.informations.paused
  const state = isPaused ? 'paused' : (ACTION_STATES[action.state] ?? String(action.state))
  const isLater = wanted !== 'paused' && getActionRank(state) > getActionRank(wanted)
  const reason = findActionEnd(action, state, wanted)
  return { state, isReached: state === wanted || isLater, isFinal: reason !== undefined, reason }
}

const observeMessage: StateReader = (body, wanted) => {
  const { state, error } = body as { state: string; error: { message: string } | null }
  const reason =
    state === 'held' ? 'its outcome is unknown after an interruption. See /settings/sending/held.' : error?.message
  return observeAmong(state, wanted, ['accepted', 'refused', 'cancelled', 'held'], reason)
}

const IMPORT_STATES = ['running', 'completed', 'failed']

/** A run of an import, or the list of its runs, newest first. */
const observeImport: StateReader = (body, wanted) => {
  const [run] = [body].flat() as { state: number; error: { detail: string } | null }[]
  const state = run ? (IMPORT_STATES[run.state] ?? String(run.state)) : 'not started'
  return observeAmong(state, wanted, ['completed', 'failed'], run?.error?.detail)
}

const observeWorkflow: StateReader = (body, wanted) =>
  observeAmong((body as { state: number }).state === 1 ? 'active' : 'inactive', wanted, [])

/** A run of a workflow, or the list of its runs, newest first. */
const observeRun: StateReader = (body, wanted) => {
  const [run] = [body].flat() as { status: string; reason: string | null }[]
  const finals = ['completed', 'failed', 'killed', 'expired', 'capped']
  return observeAmong(run?.status ?? 'not started', wanted, finals, run?.reason)
}

const observeJob: StateReader = (body, wanted) => {
  const { state, error } = body as { state: string; error: { detail: string } | null }
  return observeAmong(state, wanted, ['done', 'failed'], error?.detail)
}

/** The body is undefined while the service does not respond. */
const observeService: StateReader = (body, wanted) => {
  const { status } = (body ?? {}) as { status?: string }
  return observeAmong(status === 'ready' ? 'ready' : 'unavailable', wanted, [])
}

interface WaitKind {
  noun: string
  /** Its name in sentences; absent: its noun with the argument. */
  label?(id: string, part: string | undefined): string
  /** The argument after the kind; absent: none. */
  argument?: string
  /** The path of an object, or of an object within it. */
  path(id: string, part: string | undefined): string
  observe: StateReader
}

const waitKinds: Readonly<Record<WaitableKind, WaitKind>> = {
  action: { noun: 'action', argument: 'ID', path: (id) => `/actions/${id}`, observe: observeAction },
  'rcs-action': {
    noun: 'RCS action',
    argument: 'ID',
    path: (id) => `/channel/rcs/actions/${id}`,
    observe: observeAction,
  },
  message: { noun: 'message', argument: 'STAMP', path: (stamp) => `/messages/${stamp}`, observe: observeMessage },
  import: {
    noun: 'import',
    argument: 'ID[/EXECUTION]',
    label: (id, execution) => `${execution === undefined ? 'the last run' : `run ${execution}`} of import ${id}`,
    path: (id, execution) => `/imports/${id}/executions${execution === undefined ? '?limit=1' : `/${execution}`}`,
    observe: observeImport,
  },
  workflow: {
    noun: 'workflow',
    argument: 'ID',
    path: (id) => `/scripting/workflows/${id}`,
    observe: observeWorkflow,
  },
  run: {
    noun: 'run',
    argument: 'WORKFLOW[/RUN]',
    label: (id, run) => `${run === undefined ? 'the newest run' : `run ${run}`} of workflow ${id}`,
    path: (id, run) => `/scripting/workflows/${id}/runs${run === undefined ? '?sort=desc&limit=1' : `/${run}`}`,
    observe: observeRun,
  },
  job: { noun: 'job', argument: 'ID', path: (id) => `/jobs/${id}`, observe: observeJob },
  service: { noun: 'service', path: () => '/health/ready', observe: observeService },
}

function requireState(kind: WaitableKind, state: string): string {
  const states: readonly string[] = waitableStates[kind]
  if (states.includes(state)) return state
  throw new UsageError(
    `"${state}" is not a state of ${withArticle(waitKinds[kind].noun)}. Did you mean "${findNearestWord(state, states)}"? The states are ${states.join(', ')}.`,
  )
}

function requireArgument(words: readonly string[], usage: string): string {
  const [kind, argument] = words
  if (argument === undefined || argument === '') throw new UsageError(`wait ${kind} requires an argument: ${usage}.`)
  return argument
}

/** The target of `wait KIND ID --until STATE`. */
function buildStateTarget(kind: WaitableKind, { words, options }: CommandInvocation): WaitTarget {
  const { noun, argument, label, path, observe } = waitKinds[kind]
  const idText = argument === undefined ? '' : requireArgument(words, `wait ${kind} ${argument} --until STATE`)
  const state = requireState(kind, requireOptionValue(options, 'until'))
  const [id = '', part] = argument?.includes('/') ? idText.split('/', 2) : [idText]
  const name = argument === undefined ? `the ${noun}` : (label?.(id, part) ?? `${noun} ${id}`)
  const objectPath = path(encodeURIComponent(id), part && encodeURIComponent(part))
  return {
    path: objectPath,
    observesFaults: kind === 'service',
    observe: (response) => {
      try {
        return observe(parseBody(response), state)
      } catch (cause) {
        throw new OperatorError(`The response of ${objectPath} is not one of Stentor. Check STENTOR_URL or --url.`, {
          cause,
        })
      }
    },
    describeEnd: (endState) => `The state of ${name} is "${endState}" and will not become "${state}".`,
    describeTimeout: (lastState, timeoutText) =>
      lastState === undefined
        ? `The state of ${name} is unknown after ${timeoutText}.`
        : `The state of ${name} is "${lastState}", not "${state}", after ${timeoutText}.`,
    print: ({ observation, response }, isJson) =>
      `${isJson ? JSON.stringify([parseBody(response)].flat()[0] ?? null) : observation.state}\n`,
  }
}

/** The target of `wait response PATH`: a text that the response contains, or no longer contains. */
function buildResponseTarget({ words, options }: CommandInvocation): WaitTarget {
  const path = requireArgument(words, 'wait response PATH --contains TEXT')
  if (!path.startsWith('/')) throw new UsageError(`The path must begin with "/", such as /captured, not "${path}".`)
  const isAbsence = options['contains'] === undefined
  if (isAbsence === (options['without'] === undefined)) throw new UsageError('Use either --contains or --without.')
  const text = requireOptionValue(options, isAbsence ? 'without' : 'contains')
  return {
    path,
    observesFaults: false,
    observe: (response) => ({ isReached: response.text.includes(text) !== isAbsence, isFinal: false, state: '' }),
    describeEnd: () => '',
    describeTimeout: (_, timeoutText) =>
      `The response of ${path} ${isAbsence ? 'still contains' : 'does not contain'} "${text}" after ${timeoutText}.`,
    print: ({ response }, isJson) => (isJson ? `${response.text.trimEnd()}\n` : ''),
  }
}

function parseTimeout(option: unknown): WaitTimeout {
  const text = String(option ?? DEFAULT_TIMEOUT)
  const [digits, unit] = [text.slice(0, -1), TIMEOUT_UNITS[text.slice(-1)]]
  const count = Number(digits)
  if (!unit || String(count) !== digits || !Number.isInteger(count) || count < 0 || count > MAX_TIMEOUT_COUNT)
    throw new UsageError(
      `--timeout must be a number of seconds, minutes or hours such as 90s, 10m or 2h, not "${option}".`,
    )
  return { ms: count * unit.ms, text: formatCount(count, unit.noun) }
}

function readServiceUrl(option: unknown, config: ServiceConfig): string {
  if (option === undefined && config.service.url !== '') return config.service.url
  if (option === undefined && config.httpPort === 0)
    throw new OperatorError('--url or STENTOR_URL is required, because STENTOR_HTTP_PORT is 0.')
  if (option === undefined) return `http://localhost:${config.httpPort}`
  try {
    return settingDefinitions.URL.read(String(option))
  } catch (error) {
    throw new UsageError(`--url: "${option}" ${error instanceof Error ? error.message : error}.`)
  }
}

/** Repeats the request until the state is reached or final, or the time is up. */
async function waitForTarget(service: ServiceAccess, target: WaitTarget, timeout: WaitTimeout): Promise<WaitResult> {
  const end = performance.now() + timeout.ms
  let observed: ObservedResponse | undefined
  for (let pauseMs = FIRST_PAUSE_MS, isFirst = true; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const limitMs = Math.min(Math.max(end - performance.now(), SHORTEST_REQUEST_MS), LONGEST_REQUEST_MS)
    const response = await requestService(service, target.path, limitMs)
    const isFault = isTransient(response) && !target.observesFaults
    if (isFirst && isFault && response.status === 0)
      throw new OperatorError(`No service responds at ${service.url}. Start it, or set STENTOR_URL or --url.`)
    isFirst = false
    assertAccepted(service, response)
    if (!isFault) {
      const observation = target.observe(response)
      const { isReached, isFinal, state, reason } = observation
      observed = { observation, response }
      if (isReached) return { observed }
      if (isFinal) return { observed, failure: [target.describeEnd(state), reason].filter(Boolean).join(' ') }
    }
    const remainingMs = end - performance.now()
    if (remainingMs <= 0) {
      const failure = target.describeTimeout(observed?.observation.state, timeout.text)
      return { observed, failure: isFault ? `${failure} ${describeProblem(response)}` : failure }
    }
    await delay(Math.min(pauseMs, remainingMs))
  }
}

function isWaitableKind(kind: string): kind is WaitableKind {
  return Object.hasOwn(waitKinds, kind)
}

function buildWaitTarget(invocation: CommandInvocation): WaitTarget {
  const [kind = ''] = invocation.words
  if (kind === 'response') return buildResponseTarget(invocation)
  if (isWaitableKind(kind)) return buildStateTarget(kind, invocation)
  throw new UsageError(`Use wait ${[...Object.keys(waitKinds), 'response'].join(', wait ')}.`)
}

/** `stentor wait KIND …`: calls a running service until an object has a state, and prints the state. */
export const waitCommand: CliCommand = async (invocation) => {
  const { options } = invocation
  const target = buildWaitTarget(invocation)
  const timeout = parseTimeout(options['timeout'])
  const { config } = invocation
  const key = typeof options['key'] === 'string' ? options['key'] : config.service.key
  const service = { url: readServiceUrl(options['url'], config), key }
  const { observed, failure } = await waitForTarget(service, target, timeout)
  if (observed) process.stdout.write(target.print(observed, options['json'] === true))
  if (failure !== undefined) throw new OperatorError(failure)
  return 0
}
