/* One site whose state is moved from place 0 to place 1 while two executors run, one time each, and a mover that may die after any
 * of its steps and is run again. A promise is made once in a place, durably, before the request. Definitions choose a design:
 *   ANYWHERE  an executor uses the place that it is told of, and nobody moved anything
 *   AWAIT     the new place first says that state is to come, and refuses until it has arrived
 *   POINTER   the old place ends with a pointer, which executors follow
 */
byte accepted = 0
byte inflight = 0
bool intent[2]
bool locked[2]
bool awaited = false
bool moved = false
bool arrived = false
/* What the state said when the pointer was written, or when it was copied. */
bool carried = false

#ifdef POINTER
#define HAS_NOT_LEFT !(place == 0 && moved)
#else
#define HAS_NOT_LEFT true
#endif
#ifdef AWAIT
#define HAS_ARRIVED !(place == 1 && awaited && !arrived)
#else
#define HAS_ARRIVED true
#endif

proctype executor() {
  byte place
  bool mine = false
  /* A person names the new place once the move has begun, or whenever they like. */
#ifdef ANYWHERE
  if
  :: place = 0
  :: place = 1
  fi
#else
  if
  :: place = 0
#ifdef AWAIT
  :: awaited -> place = 1
#else
  :: (moved || arrived) -> place = 1
#endif
  fi
#endif
#ifdef POINTER
  if
  :: place == 0 && moved -> place = 1
  :: else -> skip
  fi
#endif
  /* A run that finds the place locked, or its state on the way, ends. The lock is taken in the version that is the newest. */
  if
  :: atomic { !locked[place] && HAS_NOT_LEFT && HAS_ARRIVED -> locked[place] = true }
  :: true -> goto ended
  fi
  atomic {
    if
    :: !intent[place] -> intent[place] = true; mine = true
    :: else -> skip
    fi
  }
  if
  :: mine -> inflight++
  :: true -> skip
  fi
  locked[place] = false
ended:
  skip
}

#ifndef ANYWHERE
proctype mover() {
  byte round = 0
  do
  :: round < 2 ->
    round++
#ifdef AWAIT
    awaited = true
    if
    :: true -> goto again /* it dies */
    :: true -> skip
    fi
#endif
#ifdef POINTER
    /* The pointer is written under the lock of the old place, with the state as it is then. */
    if
    :: moved -> skip
    :: atomic { !moved && !locked[0] -> moved = true; carried = intent[0] }
    :: locked[0] -> goto again
    fi
    if
    :: true -> goto again
    :: true -> skip
    fi
#else
    carried = intent[0]
#endif
    atomic {
      if
      :: !arrived ->
         arrived = true
         if
         :: carried -> intent[1] = true
         :: else -> skip
         fi
      :: else -> skip
      fi
    }
again:
    skip
  :: else -> break
  od
}
#endif

/* Takes what comes, late or never. */
active proctype service() {
end:
  do
  :: atomic {
       inflight > 0 ->
       inflight--
       accepted++
       assert(accepted <= 1)
     }
  :: atomic { inflight > 0 -> inflight-- }
  od
}

init {
  atomic {
    run executor()
    run executor()
#ifndef ANYWHERE
    run mover()
#endif
  }
}
