import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { requirePrecondition } from '../../http/middleware/conditional.ts'
import { createAuditedDb, createAuditSnapshot } from '../../http/resource/audit-requests.ts'
import { badRequestProblem, notFoundProblem, Problem } from '../../lib/errors/problem.ts'
import { createMailDnsResolver, DnsUnavailableError } from '../../lib/net/dns.ts'
import { parseDomainName } from '../../lib/net/domain-name.ts'
import { listSendingDomains, readSendingDomain } from './domain-documents.ts'
import { ListedSendingDomain, SendingDomain, SendingDomainBody } from './domain-schemas.ts'
import { verifySendingDomain } from './domain-verification.ts'
import { addSendingDomain, lockSendingDomain, removeSendingDomain } from './domains.ts'

const tags = ['domains']
const DomainParams = Type.Object({ name: Type.String() })
/** Domains are the account's, but what is sent from them is signed by the installation: its operators write them. */
const domainWriteConfig = { right: 'admin', operator: true, audit: { object: 'domain', id: 'name' } } as const

function parseDomainParam({ name }: { name: string }): string {
  const domain = parseDomainName(name)
  if (domain === undefined) throw notFoundProblem('domain', name)
  return domain
}

/** Says that no name server answered, and that nothing was changed. */
function dnsUnavailableProblem(error: unknown): never {
  if (!(error instanceof DnsUnavailableError)) throw error
  throw new Problem(503, 'dns-unavailable', `${error.message}. Nothing was changed. Try again.`, {
    headers: { 'retry-after': '10' },
    cause: error,
  })
}

function registerReadRoutes(app: HttpApp, { db, config }: ServiceContext): void {
  app.get('/domains', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'List the sending domains',
      description: 'Returns the sending domains of the account by name, without their DNS records.',
      response: { 200: Type.Array(ListedSendingDomain) },
    },
    handler: ({ account }) => listSendingDomains(db, account),
  })
  app.get('/domains/:name', {
    config: { right: 'read', etag: true },
    schema: {
      tags,
      summary: 'Get a sending domain',
      description:
        'Returns the domain with the DNS records to publish and the result of the last check of each one. ' +
        'Sends no DNS queries.',
      params: DomainParams,
      response: { 200: SendingDomain },
    },
    handler: ({ account, params }) => readSendingDomain(db, account, parseDomainParam(params), config.publicUrl),
  })
}

function registerCheckRoute(app: HttpApp, { db, clock, config }: ServiceContext): void {
  const { publicUrl } = config
  app.post('/domains/:name/check', {
    config: domainWriteConfig,
    schema: {
      tags,
      summary: 'Check the DNS records of a domain',
      refusals: { 409: 'keys-waiting key-taken', 503: 'dns-unavailable' },
      description:
        'Looks up every record of the domain and stores the published values. The domain is verified while the ' +
        'records of all its signing DKIM keys are found; waiting keys start to sign when all their records ' +
        'are found. Only operators may call it. Returns 503 and changes nothing when no name server answers.',
      params: DomainParams,
      response: { 200: SendingDomain },
    },
    handler: async (request) => {
      const { account, params } = request
      const domain = parseDomainParam(params)
      const snapshot = createAuditSnapshot((tx) => readSendingDomain(tx, account, domain, publicUrl))
      const resolver = createMailDnsResolver(config.dnsServers)
      await inTransaction(createAuditedDb(request, db, snapshot), (tx) =>
        verifySendingDomain({ db: tx, dns: resolver, publicUrl }, account, domain, new Date(clock.now())),
      ).catch(dnsUnavailableProblem)
      return readSendingDomain(db, account, domain, publicUrl)
    },
  })
}

/** The domains that an account sends from, and the records that they need. */
export function sendingDomainRoutes(app: HttpApp, context: ServiceContext): void {
  const { db, clock, config, masterKeys } = context
  const { publicUrl } = config
  const now = (): Date => new Date(clock.now())
  registerReadRoutes(app, context)
  registerCheckRoute(app, context)
  app.post('/domains', {
    config: domainWriteConfig,
    schema: {
      tags,
      summary: 'Add a sending domain',
      description:
        'Adds the domain and creates its DKIM keys; publish the returned DNS records, then check the domain. ' +
        'For a domain that exists already, the request can only make it the default one. The first domain of ' +
        'an account is always the default. Only operators may call it.',
      refusals: { 409: 'keys-waiting key-taken', 503: 'dns-unavailable' },
      body: SendingDomainBody,
      response: { 200: SendingDomain },
    },
    handler: async (request) => {
      const { account, body } = request
      const domain = parseDomainName(body.name)
      if (domain === undefined) throw badRequestProblem('/name', 'must be a domain name such as mail.shop.example')
      const addedDomain = { domain, isDefault: body.default ?? false, verifiedAt: null, now: now() }
      const snapshot = { ...createAuditSnapshot((tx) => readSendingDomain(tx, account, domain, publicUrl)), id: domain }
      await addSendingDomain({ db: createAuditedDb(request, db, snapshot), masterKeys }, account, addedDomain)
      return readSendingDomain(db, account, domain, publicUrl)
    },
  })
  app.delete('/domains/:name', {
    config: domainWriteConfig,
    schema: {
      tags,
      summary: 'Delete a sending domain',
      description:
        'Deletes the domain with its DKIM keys, which cannot be restored. Email can no longer be sent from ' +
        'it. Only operators may call it.',
      refusals: { 409: 'keys-waiting key-taken' },
      params: DomainParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const { account, params } = request
      const domain = parseDomainParam(params)
      const snapshot = { before: (tx: Db) => readSendingDomain(tx, account, domain, publicUrl) }
      await inTransaction(createAuditedDb(request, db, snapshot), async (tx) => {
        await lockSendingDomain(tx, account, domain)
        await requirePrecondition(request, SendingDomain, () => readSendingDomain(tx, account, domain, publicUrl))
        await removeSendingDomain(tx, account, domain)
      })
      return reply.code(204).send(null)
    },
  })
}
