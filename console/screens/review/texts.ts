import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const reviewTexts = catalogue(en, () => import('./fr.ts'))
