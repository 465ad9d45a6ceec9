import { sql } from 'kysely'
import type { Registry } from 'prom-client'
import { type ProcessRole, processRoles } from './config.ts'
import type { ServiceContext } from './context.ts'
import { createUserMailer } from './features/account-mail/people-mail.ts'
import { sendingTestRoutes } from './features/account-mail/test-routes.ts'
import { authenticateApiKey, recordApiKeyUse } from './features/accounts/accounts.ts'
import { sendingDomainRoutes } from './features/accounts/domain-routes.ts'
import { memberSettingsRoutes } from './features/accounts/people-settings-routes.ts'
import { sendingSettingsRoutes } from './features/accounts/sending-settings-routes.ts'
import { renderLinksRoutes } from './features/actions/content/render-links-routes.ts'
import { actionExecutionRoutes } from './features/actions/execution/execution-routes.ts'
import { experimentRoutes } from './features/actions/experiments/experiment-routes.ts'
import { heldMessageRoutes } from './features/actions/held/held-routes.ts'
import { legacySendRoutes } from './features/actions/legacy/legacy-send-routes.ts'
import { rcsActionRoutes } from './features/actions/rcs/rcs-action-routes.ts'
import { rcsExecutionRoutes } from './features/actions/rcs/rcs-execution-routes.ts'
import { rcsValidationRoutes } from './features/actions/rcs/rcs-validation-routes.ts'
import { actionExportRoutes } from './features/actions/reports/export-routes.ts'
import { actionRoutes } from './features/actions/resource/action-routes.ts'
import { actionValidationRoutes } from './features/actions/validation/validation-routes.ts'
import { loggedRequestRoutes } from './features/api-log/api-log-routes.ts'
import { applicationApiRoutes } from './features/applications/application-routes.ts'
import { approvalRoutes } from './features/approvals/approval-routes.ts'
import { archiveRoutes } from './features/archives/archive-routes.ts'
import { auditRoutes } from './features/audit/audit-routes.ts'
import { recordRequestAudit } from './features/audit/record-request-audit.ts'
import { campaignApiRoutes } from './features/campaign-groups/campaign-routes.ts'
import { capturedMessageRoutes } from './features/captured/captured-routes.ts'
import { categoryRoutes } from './features/categories/category-routes.ts'
import { consoleRoutes, prefersHtml } from './features/console/console-routes.ts'
import { bounceRoutes } from './features/contacts/bounce-flags/bounce-routes.ts'
import { contactFieldRoutes } from './features/contacts/fields/field-routes.ts'
import { readPersonalFields } from './features/contacts/fields/personal.ts'
import { contactCollectionRoutes } from './features/contacts/records/contact-routes.ts'
import { singleContactRoutes } from './features/contacts/records/single-contact-routes.ts'
import { contactSettingsRoutes } from './features/contacts/settings/settings-routes.ts'
import { redListRoutes } from './features/contacts/suppressions/red-list-routes.ts'
import { deliverabilityApiRoutes } from './features/deliverability/deliverability-routes.ts'
import { destinationQueueRoutes } from './features/deliverability/queue-routes.ts'
import { designRoutes } from './features/designs/design-routes.ts'
import { DesignDocument } from './features/designs/design-schemas.ts'
import { displayApiRoutes } from './features/display/display-routes.ts'
import { eventRoutes } from './features/events/event-routes.ts'
import { eventSettingsRoutes } from './features/events/settings/event-settings-routes.ts'
import { formRoutes } from './features/forms/form-routes.ts'
import { gatewayApiRoutes } from './features/gateway-settings/gateway-routes.ts'
import { importRoutes } from './features/imports/definitions/import-routes.ts'
import { dropPlaceRoutes } from './features/imports/drop-places/drop-place-routes.ts'
import { importPreviewRoutes } from './features/imports/preview/preview-routes.ts'
import { rcsHookRoutes } from './features/inbound/rcs/rcs-hook-routes.ts'
import { smsHookRoutes } from './features/inbound/sms/sms-hook-routes.ts'
import { jobRoutes } from './features/jobs/job-routes.ts'
import { manualRoutes } from './features/manual/manual-routes.ts'
import { mcpRoutes } from './features/mcp/mcp-routes.ts'
import { mediaApiRoutes } from './features/media/media-routes.ts'
import { publicMediaRoutes } from './features/media/public-media-routes.ts'
import { pushRenderRoutes } from './features/notifications/content/render-routes.ts'
import { pushHistoryRoutes } from './features/notifications/history/history-routes.ts'
import { notificationRoutes } from './features/notifications/notification-routes.ts'
import { pushExecutionRoutes } from './features/notifications/sends/execution-routes.ts'
import { accountRoutes } from './features/people/account-routes.ts'
import { apiKeyRoutes } from './features/people/key-routes.ts'
import { ownUserRoutes } from './features/people/me-routes.ts'
import { accountMemberRoutes } from './features/people/people-routes.ts'
import { userSessionRoutes } from './features/people/sessions/session-routes.ts'
import { createSessionStore } from './features/people/sessions/session-store.ts'
import { createPasswordHasher } from './features/people/sign-in/passwords.ts'
import { identityProviderRoutes } from './features/people/sign-in/provider-routes.ts'
import { signInRoutes } from './features/people/sign-in/sign-in-routes.ts'
import { personalDataRoutes } from './features/personal-data/personal-data-routes.ts'
import { compilableRoutes } from './features/pipelines/compilable-routes.ts'
import { compilableExecutionRoutes } from './features/pipelines/execution-routes.ts'
import { pressureApiRoutes } from './features/pressure/pressure-routes.ts'
import { rcsProfileRoutes } from './features/rcs-profiles/rcs-profile-routes.ts'
import { messageLookupRoutes } from './features/reporting/message-lookup/message-routes.ts'
import { campaignResultRoutes } from './features/reporting/overview/campaign-results-routes.ts'
import { overviewRoutes } from './features/reporting/overview/overview-routes.ts'
import { reachabilityRoutes } from './features/reporting/reachability/reach-routes.ts'
import { reportApiRoutes } from './features/reporting/reports/report-routes.ts'
import { sampleRoutes } from './features/samples/sample-routes.ts'
import { audienceGrowthRoutes } from './features/segments/growth/growth-routes.ts'
import { normalizationRoutes } from './features/segments/members/normalization-routes.ts'
import { searchRoutes } from './features/segments/search/search-routes.ts'
import { segmentApiRoutes } from './features/segments/segment-routes.ts'
import { subscriptionCountRoutes } from './features/subscriptions/count-routes.ts'
import { deviceRoutes } from './features/subscriptions/devices/device-routes.ts'
import { subscriptionRoutes } from './features/subscriptions/subscription-routes.ts'
import { trackingRoutes } from './features/tracking/tracking-routes.ts'
import { eventStreamRoutes } from './features/webhooks/stream/stream-routes.ts'
import { webhookRoutes } from './features/webhooks/webhook-routes.ts'
import { webtaskExecutionRoutes } from './features/webtasks/executions/execution-routes.ts'
import { webtaskCipherRoutes } from './features/webtasks/public/cipher-routes.ts'
import { webtaskPublicRoutes } from './features/webtasks/public/public-routes.ts'
import { webtaskScriptRoutes } from './features/webtasks/script-routes.ts'
import { webtaskRoutes } from './features/webtasks/webtask-routes.ts'
import { workflowExperimentRoutes } from './features/workflows/experiments/experiment-routes.ts'
import { workflowRunRoutes } from './features/workflows/runs/run-routes.ts'
import { workflowSimulationRoutes } from './features/workflows/simulation/simulation-routes.ts'
import { workflowExecutionRoutes } from './features/workflows/starts/execution-routes.ts'
import { workflowTaskRoutes } from './features/workflows/tasks/task-routes.ts'
import { workflowPartRoutes } from './features/workflows/workflow-part-routes.ts'
import { workflowRoutes } from './features/workflows/workflow-routes.ts'
import type { HttpApp } from './http/app-type.ts'
import { registerAuthentication } from './http/middleware/authentication.ts'
import { registerConditionalRequests } from './http/middleware/conditional.ts'
import { registerHealthRoutes, registerMetricsRoute } from './http/middleware/health.ts'
import { registerIdempotency } from './http/middleware/idempotency.ts'
import { registerAnswerMasking } from './http/middleware/masking.ts'
import { registerBodyParsers } from './http/middleware/parsing.ts'
import { registerSerializers } from './http/middleware/serializing.ts'
import { reportUntrustedProxies } from './http/middleware/untrusted-proxies.ts'
import { registerApiDocs, registerOpenApi } from './http/openapi/openapi.ts'
import { registerProblemHandlers } from './http/problems.ts'
import { registerAudit } from './http/resource/audit-requests.ts'
import { registerListCursors } from './http/resource/list.ts'
import { createHttpServer } from './http/server.ts'
import { registerSchemaValidation } from './http/validation/validation.ts'
import { toPublicSite } from './lib/net/site.ts'
import type { SessionStore } from './lib/sessions.ts'
import { createAccountMetrics } from './service/account-metrics.ts'
import { addAccountDefaults } from './service/bootstrap.ts'
import { createProxyReporter } from './service/machine.ts'
import { createCapabilityPort, createContactPorts, overviewPorts, pressurePorts } from './service/ports.ts'
import { INTERFACE_VERSION, PROGRAM_VERSION } from './version.ts'

type RouteRegistration = (app: HttpApp, context: ServiceContext, registry: Registry) => void

/** Every route of the program, by the role that serves it; the order is that of the architecture. */
const routesByRole: Record<'api' | 'tracking' | 'inbound', readonly RouteRegistration[]> = {
  api: [
    auditRoutes,
    loggedRequestRoutes,
    jobRoutes,
    contactFieldRoutes,
    (app, context) => contactCollectionRoutes(app, context, createContactPorts(context)),
    (app, context) => singleContactRoutes(app, context, createContactPorts(context)),
    redListRoutes,
    (app, context) => bounceRoutes(app, context, createContactPorts(context)),
    contactSettingsRoutes,
    searchRoutes,
    audienceGrowthRoutes,
    segmentApiRoutes,
    normalizationRoutes,
    importRoutes,
    importPreviewRoutes,
    dropPlaceRoutes,
    categoryRoutes,
    formRoutes,
    campaignApiRoutes,
    capturedMessageRoutes,
    (app, context) => rcsProfileRoutes(app, context, context.askCapability ?? createCapabilityPort(context)),
    applicationApiRoutes,
    subscriptionRoutes,
    subscriptionCountRoutes,
    (app, context) => pressureApiRoutes(app, context, pressurePorts),
    rcsActionRoutes,
    rcsValidationRoutes,
    rcsExecutionRoutes,
    notificationRoutes,
    pushRenderRoutes,
    pushExecutionRoutes,
    pushHistoryRoutes,
    sendingSettingsRoutes,
    memberSettingsRoutes,
    sendingTestRoutes,
    sendingDomainRoutes,
    gatewayApiRoutes,
    destinationQueueRoutes,
    deliverabilityApiRoutes,
    designRoutes,
    mediaApiRoutes,
    heldMessageRoutes,
    reportApiRoutes,
    actionRoutes,
    actionValidationRoutes,
    actionExecutionRoutes,
    renderLinksRoutes,
    legacySendRoutes,
    actionExportRoutes,
    archiveRoutes,
    displayApiRoutes,
    eventRoutes,
    messageLookupRoutes,
    reachabilityRoutes,
    eventSettingsRoutes,
    webhookRoutes,
    eventStreamRoutes,
    workflowRoutes,
    workflowPartRoutes,
    workflowExperimentRoutes,
    experimentRoutes,
    workflowExecutionRoutes,
    workflowSimulationRoutes,
    workflowTaskRoutes,
    workflowRunRoutes,
    compilableRoutes,
    compilableExecutionRoutes,
    webtaskRoutes,
    webtaskScriptRoutes,
    webtaskCipherRoutes,
    webtaskExecutionRoutes,
    webtaskPublicRoutes,
    personalDataRoutes,
    approvalRoutes,
    (app, context) => sampleRoutes(app, context, createContactPorts(context)),
    (app, context) => overviewRoutes(app, context, overviewPorts),
    campaignResultRoutes,
    mcpRoutes,
    consoleRoutes,
    manualRoutes,
  ],
  tracking: [trackingRoutes, publicMediaRoutes, deviceRoutes, webtaskPublicRoutes],
  inbound: [smsHookRoutes, rcsHookRoutes],
}

/** The parts that every operation has in common. They are registered before any route. */
function registerCommonHooks(
  app: HttpApp,
  { db, clock, masterKeys, config }: ServiceContext,
  sessions: SessionStore,
): void {
  registerProblemHandlers(app)
  registerSchemaValidation(app)
  registerSerializers(app)
  registerBodyParsers(app)
  registerAuthentication(app, {
    keys: { find: (key, now) => authenticateApiKey(db, key, now), noteUse: (key, at) => recordApiKeyUse(db, key, at) },
    sessions,
    clock,
    site: toPublicSite(config.publicUrl),
    ...(config.oidc && { provider: config.oidc.name }),
  })
  registerAnswerMasking(app, { personalOf: (account) => readPersonalFields(db, account), clock })
  registerAudit(app, { db, record: (tx, act) => recordRequestAudit(tx, act, new Date(clock.now())) })
  registerIdempotency(app, { db, clock, masterKeys })
  registerConditionalRequests(app)
  registerListCursors(app, { masterKeys })
}

/** Signing in, and who may what. */
function registerAccessRoutes(app: HttpApp, context: ServiceContext, sessions: SessionStore): void {
  const { db, masterKeys, clock, config, passwords = createPasswordHasher() } = context
  const signInContext = { db, masterKeys, clock, passwords, site: toPublicSite(config.publicUrl) }
  signInRoutes(app, { ...signInContext, sessions })
  identityProviderRoutes(app, signInContext, config.oidc)
  userSessionRoutes(app, signInContext)
  ownUserRoutes(app, signInContext)
  accountMemberRoutes(app, { ...signInContext, publicUrl: config.publicUrl, mails: createUserMailer(context) })
  apiKeyRoutes(app, context)
  accountRoutes(app, context, addAccountDefaults)
}

/** Routes that only the api role serves in addition to the operations: the version and the documentation. */
async function registerReferenceRoutes(app: HttpApp, { config }: ServiceContext): Promise<void> {
  app.get('/', { config: { public: true }, schema: { hide: true } }, async (request, reply) => {
    reply.header('vary', 'Accept')
    if (config.console && prefersHtml(request)) return reply.redirect('/console/', 302)
    return { service: 'stentor', version: PROGRAM_VERSION, interface: INTERFACE_VERSION }
  })
  await registerApiDocs(app)
}

/** The HTTP server of a context for the given roles: every route registered, nothing listening. It is ready once all parts of the process have started. */
export async function buildApiServer(
  context: ServiceContext,
  registry: Registry,
  played: readonly ProcessRole[] = processRoles,
  isStarted = () => true,
): Promise<HttpApp> {
  const { tracing, config } = context
  const app = createHttpServer(context.log, registry, { trustedProxies: config.trustedProxies, tracing })
  reportUntrustedProxies(app, createProxyReporter(context))
  const sessionStore = createSessionStore(context)
  registerCommonHooks(app, context, sessionStore)
  await registerOpenApi(app, PROGRAM_VERSION, {
    schemas: { Design: DesignDocument },
    loadAdditions: async () => (await import('./openapi-additions.ts')).openApiAdditions,
  })
  registerHealthRoutes(app, {
    isStarted,
    checks: { database: async () => void (await sql`select 1`.execute(context.db)) },
  })
  registerMetricsRoute(app, createAccountMetrics(context))
  // Some routes are served by several roles.
  const registrations = (['api', 'tracking', 'inbound'] as const).flatMap((role) =>
    played.includes(role) ? routesByRole[role] : [],
  )
  for (const registerRoutes of new Set(registrations)) registerRoutes(app, context, registry)
  if (!played.includes('api')) return app
  registerAccessRoutes(app, context, sessionStore)
  await registerReferenceRoutes(app, context)
  return app
}
