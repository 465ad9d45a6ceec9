import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const phoneTexts = catalogue(en, () => import('./fr.ts'))
