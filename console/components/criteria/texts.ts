import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const criteriaTexts = catalogue(en, () => import('./fr.ts'))
