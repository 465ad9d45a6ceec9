import { catalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const smsTexts = catalogue(en, () => import('./fr.ts'))
