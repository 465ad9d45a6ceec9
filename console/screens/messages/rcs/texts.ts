import { catalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const rcsMessageTexts = catalogue(en, () => import('./fr.ts'))
