import { sql } from 'kysely'
import type { Registry } from 'prom-client'
import { type Role, roles } from './config.ts'
import type { Context } from './context.ts'
import { peopleMails } from './features/account-mail/people-mail.ts'
import { sendingTestRoutes } from './features/account-mail/test-routes.ts'
import { authenticate, noteUse } from './features/accounts/accounts.ts'
import { domainRoutes } from './features/accounts/domain-routes.ts'
import { peopleSettingsRoutes } from './features/accounts/people-settings-routes.ts'
import { sendingSettingsRoutes } from './features/accounts/sending-settings-routes.ts'
import { renderLinksRoutes } from './features/actions/content/render-links-routes.ts'
import { executionRoutes } from './features/actions/execution/execution-routes.ts'
import { experimentRoutes } from './features/actions/experiments/experiment-routes.ts'
import { heldRoutes } from './features/actions/held/held-routes.ts'
import { legacySendRoutes } from './features/actions/legacy/legacy-send-routes.ts'
import { rcsActionRoutes } from './features/actions/rcs/rcs-action-routes.ts'
import { rcsExecutionRoutes } from './features/actions/rcs/rcs-execution-routes.ts'
import { rcsValidationRoutes } from './features/actions/rcs/rcs-validation-routes.ts'
import { exportRoutes } from './features/actions/reports/export-routes.ts'
import { actionRoutes } from './features/actions/resource/action-routes.ts'
import { validationRoutes } from './features/actions/validation/validation-routes.ts'
import { requestRoutes } from './features/api-log/api-log-routes.ts'
import { applicationRoutes } from './features/applications/application-routes.ts'
import { approvalRoutes } from './features/approvals/approval-routes.ts'
import { archiveRoutes } from './features/archives/archive-routes.ts'
import { recordAct } from './features/audit/acts.ts'
import { auditRoutes } from './features/audit/audit-routes.ts'
import { campaignRoutes } from './features/campaigns/campaign-routes.ts'
import { capturedRoutes } from './features/captured/captured-routes.ts'
import { categoryRoutes } from './features/categories/category-routes.ts'
import { consoleRoutes, wantsHtml } from './features/console/console-routes.ts'
import { bounceRoutes } from './features/contacts/bounces/bounce-routes.ts'
import { fieldRoutes } from './features/contacts/fields/field-routes.ts'
import { personalFields } from './features/contacts/fields/personal.ts'
import { contactRoutes } from './features/contacts/records/contact-routes.ts'
import { singleContactRoutes } from './features/contacts/records/single-contact-routes.ts'
import { contactSettingsRoutes } from './features/contacts/settings/settings-routes.ts'
import { redListRoutes } from './features/contacts/suppressions/red-list-routes.ts'
import { deliverabilityRoutes } from './features/deliverability/deliverability-routes.ts'
import { queueRoutes } from './features/deliverability/queue-routes.ts'
import { designRoutes } from './features/designs/design-routes.ts'
import { Design } from './features/designs/design-schemas.ts'
import { displayRoutes } from './features/display/display-routes.ts'
import { eventRoutes } from './features/events/event-routes.ts'
import { eventSettingsRoutes } from './features/events/settings/event-settings-routes.ts'
import { formRoutes } from './features/forms/form-routes.ts'
import { gatewayRoutes } from './features/gateways/gateway-routes.ts'
import { importRoutes } from './features/imports/definitions/import-routes.ts'
import { dropPlaceRoutes } from './features/imports/drop-places/drop-place-routes.ts'
import { importPreviewRoutes } from './features/imports/preview/preview-routes.ts'
import { rcsHookRoutes } from './features/inbound/rcs/rcs-hook-routes.ts'
import { smsHookRoutes } from './features/inbound/sms/sms-hook-routes.ts'
import { jobRoutes } from './features/jobs/job-routes.ts'
import { mcpRoutes } from './features/mcp/mcp-routes.ts'
import { mediaRoutes } from './features/media/media-routes.ts'
import { publicMediaRoutes } from './features/media/public-media-routes.ts'
import { pushRenderRoutes } from './features/notifications/content/render-routes.ts'
import { pushHistoryRoutes } from './features/notifications/history/history-routes.ts'
import { notificationRoutes } from './features/notifications/notification-routes.ts'
import { pushExecutionRoutes } from './features/notifications/sends/execution-routes.ts'
import { accountRoutes } from './features/people/account-routes.ts'
import { keyRoutes } from './features/people/key-routes.ts'
import { meRoutes } from './features/people/me-routes.ts'
import { peopleRoutes } from './features/people/people-routes.ts'
import { sessionRoutes } from './features/people/sessions/session-routes.ts'
import { createSessionStore } from './features/people/sessions/session-store.ts'
import { createPasswords } from './features/people/sign-in/passwords.ts'
import { providerRoutes } from './features/people/sign-in/provider-routes.ts'
import { signInRoutes } from './features/people/sign-in/sign-in-routes.ts'
import { personalDataRoutes } from './features/personal-data/personal-data-routes.ts'
import { compilableRoutes } from './features/pipelines/compilable-routes.ts'
import { compilableExecutionRoutes } from './features/pipelines/execution-routes.ts'
import { pressureRoutes } from './features/pressure/pressure-routes.ts'
import { rcsProfileRoutes } from './features/rcs-profiles/rcs-profile-routes.ts'
import { messageRoutes } from './features/reporting/message-lookup/message-routes.ts'
import { campaignResultRoutes } from './features/reporting/overview/campaign-results-routes.ts'
import { overviewRoutes } from './features/reporting/overview/overview-routes.ts'
import { reachRoutes } from './features/reporting/reachability/reach-routes.ts'
import { reportRoutes } from './features/reporting/reports/report-routes.ts'
import { sampleRoutes } from './features/samples/sample-routes.ts'
import { growthRoutes } from './features/segments/growth/growth-routes.ts'
import { normalizationRoutes } from './features/segments/members/normalization-routes.ts'
import { searchRoutes } from './features/segments/search/search-routes.ts'
import { segmentRoutes } from './features/segments/segment-routes.ts'
import { subscriptionCountRoutes } from './features/subscriptions/count-routes.ts'
import { deviceRoutes } from './features/subscriptions/devices/device-routes.ts'
import { subscriptionRoutes } from './features/subscriptions/subscription-routes.ts'
import { trackingRoutes } from './features/tracking/tracking-routes.ts'
import { streamRoutes } from './features/webhooks/stream/stream-routes.ts'
import { webhookRoutes } from './features/webhooks/webhook-routes.ts'
import { webtaskExecutionRoutes } from './features/webtasks/executions/execution-routes.ts'
import { webtaskCipherRoutes } from './features/webtasks/public/cipher-routes.ts'
import { webtaskPublicRoutes } from './features/webtasks/public/public-routes.ts'
import { webtaskScriptRoutes } from './features/webtasks/script-routes.ts'
import { webtaskRoutes } from './features/webtasks/webtask-routes.ts'
import { workflowExperimentRoutes } from './features/workflows/experiments/experiment-routes.ts'
import { workflowPartRoutes } from './features/workflows/part-routes.ts'
import { runRoutes } from './features/workflows/runs/run-routes.ts'
import { simulationRoutes } from './features/workflows/simulation/simulation-routes.ts'
import { workflowExecutionRoutes } from './features/workflows/starts/execution-routes.ts'
import { workflowTaskRoutes } from './features/workflows/tasks/task-routes.ts'
import { workflowRoutes } from './features/workflows/workflow-routes.ts'
import type { App } from './http/app-type.ts'
import { registerAuthentication } from './http/middleware/authentication.ts'
import { registerConditional } from './http/middleware/conditional.ts'
import { registerHealth, registerMetrics } from './http/middleware/health.ts'
import { registerIdempotency } from './http/middleware/idempotency.ts'
import { registerMasking } from './http/middleware/masking.ts'
import { registerParsing } from './http/middleware/parsing.ts'
import { registerSerializing } from './http/middleware/serializing.ts'
import { reportUntrustedProxies } from './http/middleware/untrusted-proxies.ts'
import { registerDocs, registerOpenApi } from './http/openapi/openapi.ts'
import { registerProblems } from './http/problems.ts'
import { registerAudit } from './http/resource/audit.ts'
import { registerLists } from './http/resource/list.ts'
import { createServer } from './http/server.ts'
import { registerValidation } from './http/validation/validation.ts'
import { siteOf } from './lib/net/site.ts'
import type { SessionStore } from './lib/sessions.ts'
import { createAccountMetrics } from './service/account-metrics.ts'
import { addAccountDefaults } from './service/bootstrap.ts'
import { untrustedProxies } from './service/machine.ts'
import { capabilityPort, overviewPorts, portsOf, pressurePorts } from './service/ports.ts'
import { INTERFACE_VERSION, VERSION } from './version.ts'

type RouteRegistration = (app: App, context: Context, registry: Registry) => void

/** Every route of the program, by the role that serves it; the order is that of the architecture. */
const routes: Record<'api' | 'tracking' | 'inbound', readonly RouteRegistration[]> = {
  api: [
    auditRoutes,
    requestRoutes,
    jobRoutes,
    fieldRoutes,
    (app, context) => contactRoutes(app, context, portsOf(context)),
    (app, context) => singleContactRoutes(app, context, portsOf(context)),
    redListRoutes,
    (app, context) => bounceRoutes(app, context, portsOf(context)),
    contactSettingsRoutes,
    searchRoutes,
    growthRoutes,
    segmentRoutes,
    normalizationRoutes,
    importRoutes,
    importPreviewRoutes,
    dropPlaceRoutes,
    categoryRoutes,
    formRoutes,
    campaignRoutes,
    capturedRoutes,
    (app, context) => rcsProfileRoutes(app, context, context.askCapability ?? capabilityPort(context)),
    applicationRoutes,
    subscriptionRoutes,
    subscriptionCountRoutes,
    (app, context) => pressureRoutes(app, context, pressurePorts),
    rcsActionRoutes,
    rcsValidationRoutes,
    rcsExecutionRoutes,
    notificationRoutes,
    pushRenderRoutes,
    pushExecutionRoutes,
    pushHistoryRoutes,
    sendingSettingsRoutes,
    peopleSettingsRoutes,
    sendingTestRoutes,
    domainRoutes,
    gatewayRoutes,
    queueRoutes,
    deliverabilityRoutes,
    designRoutes,
    mediaRoutes,
    heldRoutes,
    reportRoutes,
    actionRoutes,
    validationRoutes,
    executionRoutes,
    renderLinksRoutes,
    legacySendRoutes,
    exportRoutes,
    archiveRoutes,
    displayRoutes,
    eventRoutes,
    messageRoutes,
    reachRoutes,
    eventSettingsRoutes,
    webhookRoutes,
    streamRoutes,
    workflowRoutes,
    workflowPartRoutes,
    workflowExperimentRoutes,
    experimentRoutes,
    workflowExecutionRoutes,
    simulationRoutes,
    workflowTaskRoutes,
    runRoutes,
    compilableRoutes,
    compilableExecutionRoutes,
    webtaskRoutes,
    webtaskScriptRoutes,
    webtaskCipherRoutes,
    webtaskExecutionRoutes,
    webtaskPublicRoutes,
    personalDataRoutes,
    approvalRoutes,
    (app, context) => sampleRoutes(app, context, portsOf(context)),
    (app, context) => overviewRoutes(app, context, overviewPorts),
    campaignResultRoutes,
    mcpRoutes,
    consoleRoutes,
  ],
  tracking: [trackingRoutes, publicMediaRoutes, deviceRoutes, webtaskPublicRoutes],
  inbound: [smsHookRoutes, rcsHookRoutes],
}

/** What every operation has in common; registered before any route. */
function registerCommon(app: App, { db, clock, masterKeys, config }: Context, sessions: SessionStore): void {
  registerProblems(app)
  registerValidation(app)
  registerSerializing(app)
  registerParsing(app)
  registerAuthentication(app, {
    keys: { find: (key, now) => authenticate(db, key, now), noteUse: (key, at) => noteUse(db, key, at) },
    ...{ sessions, clock, site: siteOf(config.publicUrl) },
    ...(config.oidc && { provider: config.oidc.name }),
  })
  registerMasking(app, { personalOf: (account) => personalFields(db, account), clock })
  registerAudit(app, { db, record: (tx, act) => recordAct(tx, act, new Date(clock.now())) })
  registerIdempotency(app, { db, clock, masterKeys })
  registerConditional(app)
  registerLists(app, { masterKeys })
}

/** Signing in, and who may what. */
function registerPeople(app: App, context: Context, sessions: SessionStore): void {
  const { db, masterKeys, clock, config, passwords = createPasswords() } = context
  const signIn = { db, masterKeys, clock, passwords, site: siteOf(config.publicUrl) }
  signInRoutes(app, { ...signIn, sessions })
  providerRoutes(app, signIn, config.oidc)
  sessionRoutes(app, signIn)
  meRoutes(app, signIn)
  peopleRoutes(app, { ...signIn, publicUrl: config.publicUrl, mails: peopleMails(context) })
  keyRoutes(app, context)
  accountRoutes(app, context, addAccountDefaults)
}

/** What only the api role serves beside the operations: the version and the documentation. */
async function registerReference(app: App, { config }: Context): Promise<void> {
  app.get('/', { config: { public: true }, schema: { hide: true } }, async (request, reply) => {
    reply.header('vary', 'Accept')
    if (config.console && wantsHtml(request)) return reply.redirect('/console/', 302)
    return { service: 'stentor', version: VERSION, interface: INTERFACE_VERSION }
  })
  await registerDocs(app)
}

/** The HTTP server of a context for the given roles: every route registered, nothing listening. It is ready once all parts of the process have started. */
export async function buildApi(
  context: Context,
  registry: Registry,
  played: readonly Role[] = roles,
  isStarted = () => true,
): Promise<App> {
  const { tracing, config } = context
  const app = createServer(context.log, registry, { trustedProxies: config.trustedProxies, tracing })
  reportUntrustedProxies(app, untrustedProxies(context))
  const sessions = createSessionStore(context)
  registerCommon(app, context, sessions)
  await registerOpenApi(app, VERSION, { Design })
  registerHealth(app, { isStarted, checks: { database: async () => void (await sql`select 1`.execute(context.db)) } })
  registerMetrics(app, createAccountMetrics(context))
  // Some routes are served by several roles.
  const registrations = (['api', 'tracking', 'inbound'] as const).flatMap((role) =>
    played.includes(role) ? routes[role] : [],
  )
  for (const register of new Set(registrations)) register(app, context, registry)
  if (!played.includes('api')) return app
  registerPeople(app, context, sessions)
  await registerReference(app, context)
  return app
}
