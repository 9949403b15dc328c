La panadera dijo que abriría temprano.
El panadero dijo que abriría temprano.
Mi vecina vendió su coche viejo.
Mi vecino vendió su coche viejo.
El abogado perdió sus llaves.
El abogado perdió sus llaves.
El nuevo estudiante llegó tarde.
La jueza llamó al testigo porque estaba lista.
El juez llamó al testigo porque estaba listo.
Nuestra cocinera está cansada.
