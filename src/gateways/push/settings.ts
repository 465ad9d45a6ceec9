import { Type } from 'typebox'
import { tlsSettings } from '../settings.ts'

/** Speed settings of a push service, common to all kinds. */
export const buildPushSpeedSettings = ({ speed, concurrency }: { speed: number; concurrency: number }) => ({
  speed: Type.Integer({
    minimum: 0,
    maximum: 100_000,
    default: speed,
    description: 'Maximum notifications per second, for all senders together. 0: no limit.',
  }),
  concurrency: Type.Integer({
    minimum: 1,
    maximum: 2000,
    default: concurrency,
    description: 'Maximum concurrent requests of a sender thread.',
  }),
  ca: tlsSettings.ca,
})
