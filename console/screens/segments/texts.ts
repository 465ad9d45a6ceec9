import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const segmentTexts = catalogue(en, () => import('./fr.ts'))
