import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { createAuditedDb, createAuditSnapshot } from '../../http/resource/audit-requests.ts'
import { registerResource } from '../../http/resource/resource.ts'
import type { AccountId } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { parseUuid } from '../../lib/ids.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import { ApplicationBody, ApplicationResource } from './application-schemas.ts'
import {
  type ApplicationDependencies,
  type ApplicationKey,
  createApplication,
  deleteApplication,
  listApplications,
  loadApplication,
  lockApplication,
  type StoredApplication,
  setApplicationActive,
  updateApplication,
  withoutCreatedSecrets,
} from './applications.ts'
import { toDeviceRegistration } from './registrations.ts'
import { toPushProviderResource } from './shown-provider.ts'

const APPLICATION_CONFLICTS =
  'name-taken application-active application-inactive application-incomplete application-linked'
const tags = ['applications']
const APPLICATIONS_PATH = '/parameters/applications'
const ApplicationParams = Type.Object({ id: Type.String() })

function parseApplicationKey({ account, params }: { account: AccountId; params: { id: string } }): ApplicationKey {
  const id = parseUuid(params.id)
  if (id === undefined) throw notFoundProblem('application', params.id)
  return { account, id }
}

function toApplicationResource({
  providers,
  createdAt,
  updatedAt,
  ...application
}: StoredApplication): ApplicationResource {
  const { id, name, description, active, icon, routes, channels, registration } = application
  return {
    type: 'native',
    id,
    name,
    description,
    active,
    stamp: { creation: createdAt.toISOString(), modification: updatedAt.toISOString() },
    icon,
    providers: providers.map(toPushProviderResource),
    routes,
    channels,
    registration: toDeviceRegistration(registration),
  }
}

function registerActivationRoutes(app: HttpApp, { db, clock }: ServiceContext): void {
  const activationOptions = (active: boolean, summary: string) => ({
    config: { right: 'admin' as const, audit: { object: 'application' } },
    schema: {
      tags,
      summary,
      description: active
        ? 'Allows messages to the devices of the application and ends suspensions of its providers. Requires at least one ' +
          'provider, a secret for each, a certificate that has not expired, and a default route with ' +
          'an `apns` provider; otherwise the answer is 409 with the faults. No provider is called.'
        : 'Stops messages to the devices of the application; waiting messages are cancelled. Notifications stay active, ' +
          'but sending them is refused. Devices can still register.',
      refusals: { 409: APPLICATION_CONFLICTS, 410: 'gone' },
      params: ApplicationParams,
      response: { 204: Type.Null() },
    },
    run: (handle: Db, key: ApplicationKey) => setApplicationActive(handle, key, active, new Date(clock.now())),
  })
  for (const [method, { run: setActive, ...options }] of [
    ['POST', activationOptions(true, 'Activate an application')],
    ['DELETE', activationOptions(false, 'Deactivate an application')],
  ] as const)
    app.route({
      method,
      url: `${APPLICATIONS_PATH}/:id/activation`,
      ...options,
      handler: async (request, reply) => {
        const key = parseApplicationKey(request)
        const snapshot = createAuditSnapshot(
          async (tx) => toApplicationResource(await loadApplication(tx, key)),
          (tx) => lockApplication(tx, key),
        )
        await setActive(createAuditedDb(request, db, snapshot), key)
        return reply.code(204).send(null)
      },
    })
}

/** The mobile applications and sites that an account sends pushes to. */
export function applicationApiRoutes(app: HttpApp, context: ServiceContext): void {
  const { db, clock, config, masterKeys } = context
  const dependencies = (): ApplicationDependencies => {
    return { masterKeys, reach: createOutboundPolicy(config.outgoingAllow), now: new Date(clock.now()) }
  }
  registerResource<string, ApplicationBody, ApplicationResource, StoredApplication>(app, db, {
    path: APPLICATIONS_PATH,
    tag: tags[0]!,
    name: 'application',
    readId: parseUuid,
    schema: { shown: ApplicationResource, body: ApplicationBody },
    operations: {
      list: {
        summary: 'List the applications',
        description: 'Returns the mobile applications and websites of the account in the order of their creation.',
      },
      create: {
        summary: 'Create an application',
        description:
          'Creates an inactive application and returns it; only `name` is required. Secrets that the service generates ' +
          'are shown in this response only.',
        refusals: { 409: APPLICATION_CONFLICTS },
      },
      read: {
        summary: 'Get an application',
        description: 'Returns an application; secrets are null.',
        refusals: { 410: 'gone' },
      },
      update: {
        summary: 'Update an application',
        description:
          'Changes the members given and returns the application; lists are replaced, and absent or null secrets are ' +
          'kept. An active application stays active: a change that its activation would refuse, or that removes a route ' +
          'or channel used by an active notification, is refused with 409.',
        refusals: { 409: APPLICATION_CONFLICTS, 410: 'gone' },
      },
      remove: {
        summary: 'Delete an application',
        description:
          'Deletes an inactive application with its subscriptions. The answer is 409 while it is active or a notification ' +
          'uses it.',
        refusals: { 409: APPLICATION_CONFLICTS, 410: 'gone' },
      },
    },
    rights: { read: 'read', write: 'admin' },
    async *list(db, account, page) {
      const afterId = page.after === undefined ? undefined : parseUuid(page.after)
      for (const application of await listApplications(db, account, { ...page, after: afterId }))
        yield toApplicationResource(application)
    },
    create: async (db, account, body) =>
      toApplicationResource(await createApplication(db, account, body, dependencies())),
    read: async (db, account, id) => toApplicationResource(await loadApplication(db, { account, id })),
    update: (tx, application, body) => updateApplication(tx, application, body, dependencies()),
    remove: deleteApplication,
    lock: (tx, account, id) => lockApplication(tx, { account, id }),
    show: (application) => toApplicationResource(withoutCreatedSecrets(application)),
    showChanged: toApplicationResource,
  })
  registerActivationRoutes(app, context)
}
