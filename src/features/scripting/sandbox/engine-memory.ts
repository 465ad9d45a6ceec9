/** How large the memory of this thread's engine has become. It never shrinks. */
export const engineMemory = { bytes: 0 }
