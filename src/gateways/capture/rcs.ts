import type { Clock } from '../../lib/time/clock.ts'
import type { MessageGateway } from '../gateway.ts'
import type { OutgoingRcs, RcsGateway } from '../rcs.ts'
import { openCaptureGateway } from './capture.ts'

/** All features a phone can support, in the terms of RCS Business Messaging. */
const ALL_PHONE_FEATURES = [
  'RICHCARD_STANDALONE',
  'RICHCARD_CAROUSEL',
  'ACTION_CREATE_CALENDAR_EVENT',
  'ACTION_DIAL',
  'ACTION_OPEN_URL',
  'ACTION_SHARE_LOCATION',
  'ACTION_VIEW_LOCATION',
  'ACTION_OPEN_URL_IN_WEBVIEW',
  'ACTION_COMPOSE',
]

/** Rich messages become files. Every phone can be reached and shows everything, and nothing can be taken back any more. */
export function openCaptureRcsGateway(name: string, context: { dataDir: string; clock: Clock }): RcsGateway {
  return {
    ...(openCaptureGateway(name, 'rcs', context) as MessageGateway<OutgoingRcs>),
    stopped: () => undefined,
    capabilities: async () => ({ result: 'reachable', features: ALL_PHONE_FEATURES }),
    usersBatchGet: async ({ phones }) => ({ result: 'known', reachable: new Set(phones) }),
    revoke: async () => ({ result: 'absent' }),
  }
}
