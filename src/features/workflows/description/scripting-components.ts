import { type OpenApiObject, openApiSchemaRef } from '../../../http/openapi/document.ts'
import { scriptCapabilityNames } from '../../../scripting/capabilities.ts'
import { settingMembers } from './value-schemas.ts'

const { text, boolean, number, id, words, object, list, period, timeZone, component } = settingMembers

const MODULE_SOURCE: OpenApiObject = { maxLength: 262_144 }
const moduleName = (description: string): OpenApiObject => text(description, { minLength: 1, maxLength: 255 })

const hostItem: OpenApiObject = { type: 'string', maxLength: 260 }

const environmentMembers: Record<string, OpenApiObject> = {
  capabilities: list(
    'Groups of host functions that scripts may call. Adding one requires the matching right. Null: none.',
    { type: 'string', enum: [...scriptCapabilityNames] },
    100,
  ),
  http: object('Servers that scripts and `request` nodes may call. Null: none.', {
    allow: list(
      'Allowed hosts, such as `api.shop.test`, `*.shop.test:8443` or `http://host`; https unless written with `http://`.',
      hostItem,
      50,
    ),
  }),
  variables: {
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'Constants that templates and scripts read as `environment.x`: any JSON, at most 32 KB. Null: none.',
  },
  secrets: {
    type: ['object', 'null'],
    additionalProperties: { type: 'string', minLength: 1, maxLength: 16_384 },
    maxProperties: 100,
    description:
      'Secrets by name, used as `[[secret:name]]` in headers and bodies of HTTP calls. `***` keeps the stored value. Null: none.',
  },
}

const importSchema: OpenApiObject = {
  description: 'Module that scripts may import.',
  oneOf: [
    {
      type: 'object',
      required: ['type'],
      properties: {
        type: { type: 'string', enum: ['source'], description: 'Type of the import: its source.' },
        name: moduleName('Name by which scripts import it.'),
        value: text('Source of the module.', MODULE_SOURCE),
      },
    },
    {
      type: 'object',
      required: ['type'],
      properties: {
        type: { type: 'string', enum: ['webtask'], description: 'Type of the import: the script of a webtask.' },
        name: moduleName('Name by which scripts import it.'),
        value: id('ID of the webtask.'),
      },
    },
  ],
}

/** The `scripting` object and the settings of workflows and webtasks as they are sent. Absent members keep their values. */
export const scriptingComponents: Readonly<Record<string, OpenApiObject>> = {
  ScriptImport: importSchema,
  ScriptModule: {
    type: 'object',
    description: 'Module with a name.',
    properties: {
      name: moduleName('Name of the module; of a filter, letters, digits, `_` and `-`, and no built-in filter.'),
      value: text('Source of the module.', MODULE_SOURCE),
    },
  },
  ScriptingWrite: {
    type: 'object',
    description:
      'Capabilities, modules and values of scripts and templates. Absent members keep their values; null restores the default of a member.',
    properties: {
      version: words('Version of the scripting object.', '7.0.0'),
      environment: object(
        'Capabilities, allowed hosts, constants and secrets of scripts. Absent members keep their values.',
        environmentMembers,
      ),
      imports: list(
        'Modules that scripts may import; 1 MB together with `initializers`. Null: none.',
        openApiSchemaRef('ScriptImport'),
        20,
      ),
      initializers: list(
        'Modules that run before each script, in order. Null: none.',
        openApiSchemaRef('ScriptModule'),
        10,
      ),
      filters: list(
        'Filters for templates, each a JavaScript function. Null: none.',
        openApiSchemaRef('ScriptModule'),
        50,
      ),
    },
  },
  WorkflowSettingsWrite: {
    type: 'object',
    additionalProperties: true,
    description:
      'Settings of the runs. Absent members keep their values; null restores the default of a member. Members not listed here are stored as sent, at most 32 KB of JSON, and have no effect.',
    properties: {
      timeZone: timeZone('Time zone of the workflow, not `contact`. Default: that of the account.'),
      timeZoneField: id('ID of the text field that holds the time zone of the contact. Default: none.'),
      entryKey: component(
        'Expression',
        'Key by which re-entry and concurrency count runs, at most 256 characters. Default: the contact. An empty result refuses the start.',
      ),
      reentry: object('Conditions for another start with the same contact or `entryKey`.', {
        mode: words(
          '`always`: at any time. `never`: once only. `afterExit`: with no open run. `afterPeriod`: once `period` has passed since the last start. Default: `always`.',
          'always',
          'never',
          'afterExit',
          'afterPeriod',
        ),
        period: period('Time between two starts. Required with `afterPeriod` for activation.'),
      }),
      concurrency: number('Maximum number of open runs for each contact or `entryKey`. Default: 1.', 1, 100),
      maxNodes: number('Maximum number of node visits in a run; beyond it, the run fails. Default: 500.', 1, 10_000),
      maxDuration: period(
        'Maximum duration of a run, at most 5 years; beyond it, the run expires, even during a wait. Default: 365 days.',
      ),
      onDeactivate: words(
        'Open runs on deactivation. `pause`: they continue after the next activation. `kill`: they end. Default: `pause`.',
        'pause',
        'kill',
      ),
      migration: words(
        '`none`: each run keeps its version. `atWaits`: a run that wakes continues with the current version. Default: `none`.',
        'none',
        'atWaits',
      ),
      trace: words(
        'Nodes in the trace of a run. `all`: every node. `errors`: only nodes that failed. `none`: no node. Default: `all`.',
        'all',
        'errors',
        'none',
      ),
    },
  },
  WebtaskSettingsWrite: {
    type: 'object',
    description: 'Limits of a run, logs and public access. Members that are absent or null keep their values.',
    properties: {
      cpuMs: number('CPU time that a run may use, in milliseconds. Default: 1000.', 10, 1000),
      wallMs: number(
        'Total time that a run may wait for its host calls, in milliseconds. Default: 10,000.',
        100,
        30_000,
      ),
      logs: boolean('True: log lines are returned and stored with each run. Default: true.'),
      public: object('Access without a key, through `/w/{token}`.', {
        enabled: boolean(
          'True: the public route is open for this webtask, if the installation allows it. Default: false.',
        ),
        methods: list(
          'HTTP methods allowed on the public route. Default: `POST`.',
          { type: 'string', enum: ['GET', 'POST'] },
          10,
        ),
        redirects: list(
          'Hosts to which the script may redirect, written as in `scripting.environment.http.allow`. Default: none.',
          hostItem,
          50,
        ),
      }),
    },
  },
}
