import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { COMPONENT_REF_KEYWORD } from '../../lib/errors/schema-reference.ts'
import { int32Limits } from '../../lib/int32.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import { ScriptingSchema, ScriptingWriteSchema } from '../workflows/workflow-schemas.ts'
import { publicWebtaskMethods } from './settings.ts'

const InstantSchema = Type.String({ format: 'date-time' })

const SettingsSchema = Type.Object({
  cpuMs: Type.Integer({
    minimum: 10,
    maximum: 1000,
    description: 'CPU time that a run may use, in milliseconds; default 1000.',
  }),
  wallMs: Type.Integer({
    minimum: 100,
    maximum: 30_000,
    description: 'Total time that a run may wait for its host calls, in milliseconds; default 10,000.',
  }),
  logs: Type.Boolean({ description: 'True: log lines are returned and stored with each run. Default: true.' }),
  public: Type.Object(
    {
      enabled: Type.Boolean({
        description: 'True: the public route is open for this webtask, if the installation allows it. Default: false.',
      }),
      methods: Type.Array(Type.Enum([...publicWebtaskMethods]), {
        description: 'HTTP methods allowed on the public route; default `POST`.',
      }),
      redirects: Type.Array(Type.String(), {
        description: 'Hosts to which the script may redirect, written as in `scripting.environment.http.allow`.',
      }),
    },
    { description: 'Access without a key, through `/w/{token}`.' },
  ),
})

const descriptionMembers = {
  name: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Name of the webtask. Required at creation; need not be unique.',
  }),
  description: nullableSchema(Type.String({ maxLength: 4000, description: 'Description of the webtask, for users.' })),
}
const ScriptValueSchema = Type.String({
  description:
    'Script: an ES module whose default export is a function of the input; at most 256 KB. Default: a script that returns null.',
})

export const WebtaskDocument = Type.Object({
  id: Type.Integer({ description: 'ID of the webtask.' }),
  ...descriptionMembers,
  creationDate: { ...InstantSchema, description: 'Time of creation, in UTC.' },
  updateDate: { ...InstantSchema, description: 'Time of the last change, in UTC.' },
  scripting: { ...ScriptingSchema, description: 'Capabilities, modules and values of the script.' },
  settings: { ...SettingsSchema, description: 'Limits of a run, logs and public access.' },
  value: ScriptValueSchema,
})
export type WebtaskDocument = Static<typeof WebtaskDocument>

/** A write: what is absent stays; members that the service sets may come back and are passed over. */
export const WebtaskBody = Type.Object({
  id: ignoredMemberSchema,
  name: Type.Optional(descriptionMembers.name),
  description: Type.Optional(descriptionMembers.description),
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
  scripting: Type.Optional({
    ...ScriptingWriteSchema,
    description:
      'Capabilities, modules and values of the script. Absent members keep their values; null restores the default.',
  }),
  settings: Type.Optional(
    nullableSchema(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'Limits of a run, logs and public access. Absent members keep their values.',
          [COMPONENT_REF_KEYWORD]: 'WebtaskSettingsWrite',
        },
      ),
    ),
  ),
  value: Type.Optional(ScriptValueSchema),
})
export type WebtaskBody = Static<typeof WebtaskBody>

/** Webtask to check: absent members come from the stored webtask, or from the defaults of a new one. */
export const WebtaskCheckBody = Type.Object({
  id: Type.Optional(
    Type.Integer({
      ...int32Limits,
      description: 'ID of the stored webtask that supplies the absent members. Absent: a new webtask.',
    }),
  ),
  scripting: Type.Optional({
    ...ScriptingWriteSchema,
    description: 'Capabilities, modules and values of the script. Absent: as stored, or the defaults.',
  }),
  value: Type.Optional(ScriptValueSchema),
})
export type WebtaskCheckBody = Static<typeof WebtaskCheckBody>

export const WebtaskQuery = Type.Object({
  name: Type.Optional(Type.String({ description: 'Only webtasks with exactly this name.' })),
})
export const WebtaskParams = Type.Object({ id: Type.String() })

export const WebtaskScriptBody = Type.Object({ value: ScriptValueSchema })
export type WebtaskScriptBody = Static<typeof WebtaskScriptBody>

/** Problem types of the operations of webtasks by status. */
export const webtaskRefusals = {
  400: 'script-flawed',
  409: 'in-use too-many-webtasks webtask-gone compilable-flawed stamp-used',
}
export const webtaskWriteRefusals = { ...webtaskRefusals, 403: 'approval-required' }
