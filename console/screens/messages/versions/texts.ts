import { catalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const versionTexts = catalogue(en, () => import('./fr.ts'))
