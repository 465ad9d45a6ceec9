import { type Static, Type } from 'typebox'
import { parseServiceAccountKey } from '../../lib/crypto/credentials/service-account.ts'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import { buildPushSpeedSettings } from '../push/settings.ts'
import { ApiAddressSetting, assertApiAddress, readGatewaySettings, requireGatewaySecrets } from '../settings.ts'

/** Connection settings for a project of Firebase Cloud Messaging. None of them is secret. */
export const PushFcmSettings = Type.Object(
  {
    project: Type.Union([Type.String({ pattern: '^[A-Za-z0-9:._-]{1,100}$' }), Type.Null()], {
      default: null,
      description: 'ID of the project. Null: the project of the key.',
    }),
    baseUrl: ApiAddressSetting('Address of the service. Null: the host of Firebase Cloud Messaging.'),
    tokenUrl: ApiAddressSetting('Address of the token endpoint. Null: the endpoint of Google.'),
    // 600,000 a minute and project is what FCM takes.
    ...buildPushSpeedSettings({ speed: 10_000, concurrency: 400 }),
  },
  { additionalProperties: false },
)
export type PushFcmSettings = Static<typeof PushFcmSettings>

/** Kept sealed, apart from the settings. */
export const PushFcmSecrets = Type.Object(
  { key: Type.String({ minLength: 1, maxLength: 20_000, description: 'Key of the service account, as JSON.' }) },
  { additionalProperties: false },
)
export type PushFcmSecrets = Static<typeof PushFcmSecrets>

/** The project that messages are sent for. Throws badRequestProblem when neither settings nor key name one. */
export function requireFcmProject({ project }: PushFcmSettings, { key }: PushFcmSecrets): string {
  const { projectId } = parseServiceAccountKey(key, '/secrets/key')
  const projectName = projectId ?? project
  if (projectName === null)
    throw badRequestProblem('/project', 'must be the ID of the project, because the key does not name one')
  return projectName
}

/** Settings and secrets as they are stored, with what is absent filled in. Throws invalid or badRequestProblem with a pointer. */
export function readPushFcmConfig(
  storedSettings: unknown,
  storedSecrets: unknown,
): { settings: PushFcmSettings; secrets: PushFcmSecrets } {
  const settings = readGatewaySettings(PushFcmSettings, storedSettings)
  const secrets = requireGatewaySecrets(PushFcmSecrets, storedSecrets, '`key`, the JSON of a service account')
  assertApiAddress('/baseUrl', settings.baseUrl)
  assertApiAddress('/tokenUrl', settings.tokenUrl)
  requireFcmProject(settings, secrets)
  return { settings, secrets }
}
