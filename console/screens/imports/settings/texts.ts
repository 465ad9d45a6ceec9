import { catalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const settingsTexts = catalogue(en, () => import('./fr.ts'))
