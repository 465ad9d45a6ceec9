import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const deliverabilityTexts = catalogue(en, () => import('./fr.ts'))
