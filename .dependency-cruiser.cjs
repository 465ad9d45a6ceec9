/** Import direction, as ARCHITECTURE.md draws it. A room imports rooms of the groups before its own only, and its peers. */
const order = [
  ['features/accounts', 'features/audit', 'features/bounces', 'features/people'],
  ['features/jobs', 'features/files', 'features/listeners', 'features/notices', 'features/api-log'],
  ['features/contacts'],
  ['features/events'],
  ['features/segments'],
  [
    'features/imports',
    'features/categories',
    'features/forms',
    'features/campaign-groups',
    'features/pressure',
    'features/capping',
    'features/rcs-profiles',
    'features/applications',
    'features/subscriptions',
  ],
  ['features/rendering'],
  ['scripting', 'features/deliverability', 'features/designs'],
  ['channels'],
  ['features/archives'],
  ['sending'],
  ['features/account-mail', 'features/captured', 'features/gateway-settings'],
  ['features/actions', 'features/notifications', 'features/display'],
  ['features/reporting', 'features/media'],
  [
    'features/tracking',
    'features/inbound',
    'features/webhooks',
    'features/script-host',
    'features/pipelines',
    'features/webtasks',
    'features/workflows',
  ],
  ['features/personal-data', 'features/approvals', 'features/samples', 'features/console', 'features/manual'],
  ['features/mcp'],
]

const tests = '\\.test\\.ts$'
const feature = '^src/(features/|sending/|channels/|scripting/)'
/** What any room may ask of a channel without loading what makes its messages. */
const traits = [
  '^src/channels/(channel-traits|action-families|authored)\\.ts$',
  '^src/channels/[a-z]+/traits\\.ts$',
  // The parts of a content with a tree of templates.
  '^src/channels/rcs/content/(parts|leaves|content-schemas)\\.ts$',
  '^src/channels/push/(parts|content)\\.ts$',
]
const routes = '-(routes|schemas)\\.ts$'

const leftOnly = order.slice(0, -1).map((group, index) => ({
  name: `left-of-${group[0].replace('features/', '')}`,
  comment: 'a room imports rooms to its left only',
  severity: 'error',
  from: { path: `^src/(${group.join('|')})/`, pathNot: tests },
  to: {
    path: `^src/(${order
      .slice(index + 1)
      .flat()
      .join('|')})/`,
    pathNot: traits,
  },
}))

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'lib-knows-nothing',
      severity: 'error',
      from: { path: '^src/lib/', pathNot: tests },
      to: { path: '^src/(?!lib/)' },
    },
    {
      name: 'database-on-lib',
      severity: 'error',
      from: { path: '^src/database/', pathNot: tests },
      to: { path: '^src/(?!lib/|database/)' },
    },
    {
      name: 'jobs-on-database',
      severity: 'error',
      from: { path: '^src/jobs/' },
      to: { path: '^src/(?!lib/|database/|jobs/)' },
    },
    {
      name: 'gateways-on-lib',
      severity: 'error',
      from: { path: '^src/gateways/', pathNot: tests },
      to: { path: '^src/(?!lib/|gateways/)' },
    },
    {
      name: 'http-on-lib-and-database',
      severity: 'error',
      from: { path: '^src/http/', pathNot: tests },
      to: { path: '^src/(?!lib/|database/|http/)' },
    },
    {
      name: 'http-only-from-routes',
      comment: 'the domain knows no HTTP; what describes it for openapi.json does',
      severity: 'error',
      from: { path: feature, pathNot: [routes, tests, '/description/'] },
      to: { path: '^src/http/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'routes-are-imported-by-app',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/app\\.ts$', tests] },
      to: { path: `${feature}.*-routes\\.ts$` },
    },
    {
      name: 'threads-load-what-they-use',
      comment: 'each thread holds its modules anew: nothing of the interface, the queue or its tasks belongs in one',
      severity: 'error',
      from: {
        path: '^src/(sending/senders/sender-thread|features/imports/files/reader-worker|features/rendering/render-worker|features/designs/compile-worker|features/media/size-worker|scripting/sandbox/realm/sandbox-worker)\\.ts$',
      },
      to: { path: ['-routes\\.ts$', '^src/(http|jobs|service)/', '^src/(app|context)\\.ts$'], reachable: true },
    },
    {
      name: 'production-dependencies',
      comment: 'an installation without what is for development must run',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'traits-on-lib',
      comment: 'plain traits of channels are imported everywhere',
      severity: 'error',
      from: { path: traits },
      to: { path: '^src/', pathNot: [...traits, '^src/lib/'] },
    },
    ...leftOnly,
    {
      name: 'gateways-only-from-some',
      severity: 'error',
      from: {
        path: feature,
        pathNot: [
          '^src/(sending|channels|features/(account-mail|captured|gateway-settings|deliverability|inbound|tracking|notifications))/',
          tests,
        ],
      },
      to: { path: '^src/gateways/' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
}
