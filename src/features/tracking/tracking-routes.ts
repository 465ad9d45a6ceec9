import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { readToken, type Token, type TokenKind } from '../../lib/tokens.ts'
import { openAddressDetails } from './address-details.ts'
import { isAway, soon } from './away.ts'
import { countBadTokens } from './bad-tokens.ts'
import { readForm } from './form-body.ts'
import { messageOf } from './hits.ts'
import { acceptedLanguage } from './languages.ts'
import { makeMirror } from './mirror.ts'
import { askPage, donePage, maskAddress, noticePage, type Page } from './pages.ts'
import { openRecording, type Recording, type Seen } from './recording.ts'
import { openRobotLists } from './robot-lists.ts'
import { findAddress } from './sent-message.ts'
import { locationOf, targetOf, withParameters } from './targets.ts'
import { unsubscribe, type Via } from './unsubscribe.ts'
import { openVersionCache, type VersionCache, type VersionFacts } from './version-cache.ts'

const HEADERS = {
  'cache-control': 'no-store, private',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

/** One transparent point, 43 bytes. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

const BODY_LIMIT = 64 * 1024
