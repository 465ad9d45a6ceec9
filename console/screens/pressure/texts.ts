import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const pressureTexts = catalogue(en, () => import('./fr.ts'))
