import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyRequest, InjectOptions } from 'fastify'
import { Registry } from 'prom-client'
import { buildApiServer } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import type { ServiceContext } from '../../src/context.ts'
import {
  createAccount,
  createApiKey,
  parseAccountCode,
  setAccountRateLimit,
} from '../../src/features/accounts/accounts.ts'
import { createPasswordHasher } from '../../src/features/people/sign-in/passwords.ts'
import type { HttpApp } from '../../src/http/app-type.ts'
import { type AccessRight, accessRights } from '../../src/lib/account.ts'
import { createAccountTokenKeys } from '../../src/lib/crypto/tokens.ts'
import type { Clock } from '../../src/lib/time/clock.ts'
import { createLogger } from '../../src/log.ts'
import { addAccountDefaults } from '../../src/service/bootstrap.ts'
import { isCrossing, startCrossing } from './crossing.ts'
import { cloneDatabase } from './database/database.ts'
import { shareEngines } from './engines.ts'
import { isDescribed, judgeRequest, type RequestJudgement, undescribed } from './openapi/described.ts'
import { findTextFaults } from './text-faults.ts'

/** A clock that stands where it is put, and starts at the present. */
export interface SettableClock extends Clock {
  set(instant: number | string): void
  advance(ms: number): void
}

export function settableClock(): SettableClock {
  let now = Date.now()
  return {
    now: () => now,
    set: (instant) => {
      now = typeof instant === 'string' ? Date.parse(instant) : instant
    },
    advance: (ms) => {
      now += ms
    },
  }
}

/** An account with an all-rights key and no rate limit. */
export interface TestAccount {
  account: number
  code: string
  key: string
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer.
  body: any
}

export interface CallOptions {
  body?: unknown
  headers?: Record<string, string>
  /** Another key than the first account's; null sends none. */
  key?: string | null
}

export interface Harness {
  app: HttpApp
  context: ServiceContext
  /** Figures of the installation, as its listener of metrics shows them. */
  registry: Registry
  clock: SettableClock
  /** The account that `call` uses, and another one whose ids must be unknown to it. */
  own: TestAccount
  other: TestAccount
  dataDir: string
  call(method: string, url: string, options?: CallOptions): Promise<Answer>
  /** What was written is in the column store too, where the tests have one: before work that is called by itself. */
  copied(): Promise<void>
  makeAccount(code: string): Promise<TestAccount>
  makeKey(account: number, granted: readonly AccessRight[]): Promise<string>
  /** With a store: copies all events, and moves the border somewhere among them, as each GET does by itself. */
  crossSomewhere(): Promise<void>
}

/** Passwords are hashed hundreds of times: what they cost is tried by the tests of time alone. */
const CHEAP = { memory: 1024, passes: 1, parallelism: 1 }

type Method = NonNullable<InjectOptions['method']>

/** Whether a body is one document of JSON: NDJSON is many. */
const isJson = (type: string): boolean => /\bjson\b/.test(type)

const ajv = new Ajv({ strict: false, allowUnionTypes: true })
addFormats.default(ajv)
/** Schemas are the same objects in every app of a process. */
const compiled = new WeakMap<object, ValidateFunction>()

/** Every answer of a route that the description leaves out must fit the schema of the route. */
function checkAnswers(app: HttpApp): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const schemas = request.routeOptions.schema?.response as Record<string, object> | undefined
    const schema = schemas?.[reply.statusCode]
    const type = String(reply.getHeader('content-type') ?? '')
    const { url } = request.routeOptions
    if (url !== undefined && isDescribed(request.method, url)) return payload
    if (!schema || typeof payload !== 'string' || payload === '' || !isJson(type)) return payload
    const validate = compiled.get(schema) ?? ajv.compile(structuredClone(schema))
    compiled.set(schema, validate)
    if (!validate(JSON.parse(payload))) {
      throw new Error(
        `${request.method} ${request.routeOptions.url} answers what it does not document: ${ajv.errorsText(validate.errors)}`,
      )
    }
    return payload
  })
}

/** Faults of the sentences of a problem. What they quote is the caller's. */
function listProblemTextFaults(payload: string): string[] {
  const { detail = '', errors = [] } = JSON.parse(payload) as { detail?: string; errors?: { detail: string }[] }
  return [detail, ...errors.map((error) => error.detail)].flatMap((text) =>
    findTextFaults(text.replaceAll(/"[^"]*"/g, '""')).map((fault) => `"${fault}" is no good sentence`),
  )
}

/**
 * Every answer must be in the description with its body, and the body of every request that succeeds. What is not is added to
 * `faults`. The body of a request is judged as it came: what it leaves out is filled in later.
 */
function checkDescribed(app: HttpApp, faults: Set<string>): void {
  const judgements = new WeakMap<object, RequestJudgement>()
  const isKnown = (request: FastifyRequest): boolean => request.routeOptions.url !== undefined && !request.is404
  app.addHook('preValidation', async (request) => {
    const { method, body, routeOptions } = request
    const type = request.headers['content-type'] ?? ''
    if (!isKnown(request) || typeof body !== 'object' || body === null || !isJson(type) || Buffer.isBuffer(body)) return
    const judgement = judgeRequest({ method, route: routeOptions.url!, type, body })
    if (judgement) judgements.set(request, judgement)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isKnown(request)) return payload
    const type = String(reply.getHeader('content-type') ?? '')
    const isEmpty = payload === null || payload === undefined || payload === ''
    const routeUrl = request.routeOptions.url!
    const fault = undescribed({
      method: request.method,
      route: routeUrl,
      status: reply.statusCode,
      type: isEmpty ? '' : type,
      ...(!isEmpty && typeof payload === 'string' && isJson(type) && { body: JSON.parse(payload) }),
    })
    if (fault !== undefined) faults.add(fault)
    if (typeof payload === 'string' && type.includes('problem+json'))
      for (const textFault of listProblemTextFaults(payload)) faults.add(`${request.method} ${routeUrl}: ${textFault}`)
    const accepted = reply.statusCode < 300 ? judgements.get(request)?.() : undefined
    if (accepted !== undefined) faults.add(accepted)
    return payload
  })
}

/** Fails the file, and not by an error of this hook: what else is to be closed would stay open, and the process would not end. */
function complain(faults: ReadonlySet<string>): void {
  if (faults.size === 0) return
  process.stderr.write(`not described by openapi.json:\n${[...faults].join('\n')}\n`)
  process.exitCode = 1
}

/** What a route says it tells, it tells. */
function checkTold(app: HttpApp): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const audit = request.routeOptions.config?.audit
    const isDone = reply.statusCode < 400 && request.method !== 'HEAD' && !reply.hasHeader('idempotent-replayed')
    if (audit && 'object' in audit && isDone && !request.isTold)
      throw new Error(`${request.method} ${request.routeOptions.url} has written no row of the audit`)
    return payload
  })
}

async function send(
  app: HttpApp,
  method: string,
  url: string,
  key: string | null,
  options: CallOptions,
): Promise<Answer> {
  const { body, headers = {} } = options
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
  const response = await app.inject({
    method: method as Method,
    url,
    headers: {
      ...(key !== null && { 'x-key': key }),
      ...(body !== undefined && !isRaw && { 'content-type': 'application/json' }),
      // Nothing goes on by itself here: a request that waited for what does would wait in vain.
      prefer: 'wait=0',
      ...headers,
    },
    ...(body !== undefined && { payload: isRaw ? body : JSON.stringify(body) }),
  })
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.payload,
    body:
      isJson(String(response.headers['content-type'] ?? '')) && response.payload !== ''
        ? JSON.parse(response.payload)
        : undefined,
  }
}

async function buildContext(
  dataDir: string,
  clock: Clock,
  database: Awaited<ReturnType<typeof cloneDatabase>>,
  environment: Record<string, string>,
): Promise<ServiceContext> {
  const config = readConfig({
    STENTOR_PUBLIC_URL: 'https://stentor.example',
    ...environment,
    STENTOR_DATA_DIR: dataDir,
    STENTOR_LOG_LEVEL: 'silent',
  })
  const masterKeys = [{ number: 0, key: randomBytes(32) }]
  return {
    db: database.db,
    pool: database.pool,
    config,
    log: createLogger(config),
    clock,
    masterKeys,
    tokens: createAccountTokenKeys(masterKeys),
    ...shareEngines(),
    passwords: createPasswordHasher(CHEAP),
  }
}

/**
 * The whole HTTP interface on a database of its own, with two accounts; all of it goes when the file's tests are over. `environment`:
 * more settings; `parts`: of the context, instead of its own; `prepare`: adds hooks.
 */
export async function startHarness(
  environment: Record<string, string> = {},
  parts: Partial<ServiceContext> = {},
  prepare?: (app: HttpApp) => void,
): Promise<Harness> {
  const clock = settableClock()
  const dataDir = await mkdtemp(join(tmpdir(), 'stentor-test-'))
  const database = await cloneDatabase()
  const context = { ...(await buildContext(dataDir, clock, database, environment)), ...parts }
  const crossing = (await isCrossing()) ? await startCrossing(context, { anew: true }) : undefined
  const registry = new Registry()
  const app = await buildApiServer(context, registry)
  checkAnswers(app)
  checkTold(app)
  const faults = new Set<string>()
  checkDescribed(app, faults)
  prepare?.(app)
  await app.ready()
  const { db } = context

  const makeKey = async (account: number, granted: readonly AccessRight[]): Promise<string> => {
    const key = `test-${randomBytes(12).toString('hex')}`
    await createApiKey(db, account, key, { name: 'test', rights: granted, expiresAt: null })
    return key
  }
  const makeAccount = async (code: string): Promise<TestAccount> => {
    const account = await createAccount(db, parseAccountCode(code)!, code, (tx, id) =>
      addAccountDefaults(tx, id, new Date(clock.now())),
    )
    await setAccountRateLimit(db, account, 0, 0)
    return { account, code, key: await makeKey(account, accessRights) }
  }
  const own = await makeAccount('ACME001')
  const other = await makeAccount('RIVL002')
  after(async () => {
    await app.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
    complain(faults)
  })
  return {
    app,
    context,
    registry,
    clock,
    own,
    other,
    dataDir,
    makeAccount,
    makeKey,
    copied: async () => crossing?.copy(),
    crossSomewhere: async () => crossing?.crossSomewhere(),
    async call(method, url, options = {}) {
      if (method === 'GET') await crossing?.crossSomewhere()
      return send(app, method, url, options.key === undefined ? own.key : options.key, options)
    },
  }
}
