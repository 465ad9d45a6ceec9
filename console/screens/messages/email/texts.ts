import { catalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const emailTexts = catalogue(en, () => import('./fr.ts'))
