// The functions are in the header, so that the compiler can inline them into Swift.
#include "ByteScan.h"
