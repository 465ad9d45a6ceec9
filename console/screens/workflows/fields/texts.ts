import { catalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const fieldTexts = catalogue(en, () => import('./fr.ts'))
